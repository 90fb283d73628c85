import {
  Analytics_CreateOrUpdateAudience,
  Analytics_DeleteAudience,
  Analytics_ListAudiences,
  Analytics_ListCustomProperties,
  Analytics_ListDevicePropertyValues,
  Analytics_TestAudience,
  analytics_breakdown,
  analytics_funnel,
  analytics_retention,
  analytics_searchLogs,
  analytics_sessionPaths,
  analyticsCharts_create,
  analyticsCharts_delete,
  analyticsCharts_list,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import type { AppRef } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { analyticsKey, useFigures } from './analytics.ts';

type BreakdownQuery = EndpointInput<typeof analytics_breakdown>['query'];
export type Breakdown = EndpointOutput<typeof analytics_breakdown>;
export type FunnelQuery = EndpointInput<typeof analytics_funnel>['body'];
export type Chart = EndpointOutput<typeof analyticsCharts_list>['values'][number];
export type Audience = EndpointOutput<typeof Analytics_ListAudiences>['values'][number];
export type AudienceChange = EndpointInput<typeof Analytics_CreateOrUpdateAudience>['body'];

export const useBreakdown = (params: AppRef, query: BreakdownQuery, enabled = true) =>
  useFigures(params, ['breakdown', query], () => call(analytics_breakdown, { params, query }), enabled);

export const useFunnel = (params: AppRef, body: FunnelQuery, enabled = true) =>
  useFigures(params, ['funnel', body], () => call(analytics_funnel, { params, body }), enabled);

export const useRetention = (params: AppRef, query: EndpointInput<typeof analytics_retention>['query']) =>
  useFigures(params, ['retention', query], () => call(analytics_retention, { params, query }));

export const useSessionPaths = (params: AppRef, query: EndpointInput<typeof analytics_sessionPaths>['query']) =>
  useFigures(params, ['session-paths', query], () => call(analytics_sessionPaths, { params, query }));

export type LogMatch = EndpointOutput<typeof analytics_searchLogs>['logs'][number];

export const useLogSearch = (params: AppRef, query: EndpointInput<typeof analytics_searchLogs>['query']) =>
  useFigures(params, ['found-logs', query], () => call(analytics_searchLogs, { params, query }));

const chartsKey = (appRef: AppRef) => [...analyticsKey(appRef), 'charts'];

export const useCharts = (params: AppRef) =>
  useRead(chartsKey(params), async () => (await call(analyticsCharts_list, { params })).values);

export const useSaveChart = (params: AppRef) =>
  useChange(
    (body: EndpointInput<typeof analyticsCharts_create>['body']) => call(analyticsCharts_create, { params, body }),
    chartsKey(params),
  );

export const useDeleteChart = (params: AppRef) =>
  useChange(
    ({ id }: Chart) => call(analyticsCharts_delete, { params: { ...params, chart_id: id } }),
    chartsKey(params),
  );

const audiencesKey = (appRef: AppRef) => [...analyticsKey(appRef), 'audiences'];

export const useAudiences = (params: AppRef) =>
  useRead(
    audiencesKey(params),
    async () => (await call(Analytics_ListAudiences, { params, query: { include_disabled: true } })).values,
  );

export const useCustomProperties = (params: AppRef) =>
  useRead(
    [...analyticsKey(params), 'custom-properties'],
    async () => (await call(Analytics_ListCustomProperties, { params })).values,
  );

export const useDeviceValues = (params: AppRef, property: string, enabled: boolean) =>
  useRead(
    [...analyticsKey(params), 'device-values', property],
    async () =>
      (await call(Analytics_ListDevicePropertyValues, { params: { ...params, property_name: property }, query: {} }))
        .values,
    enabled,
  );

export const useTestAudience = (params: AppRef) =>
  useChange((body: AudienceChange) => call(Analytics_TestAudience, { params, body }));

export const useSaveAudience = (params: AppRef) =>
  useChange(
    ({ name, ...body }: AudienceChange & { name: string }) =>
      call(Analytics_CreateOrUpdateAudience, { params: { ...params, audience_name: name }, body }),
    audiencesKey(params),
  );

export const useDeleteAudience = (params: AppRef) =>
  useChange(
    ({ name }: Audience) => call(Analytics_DeleteAudience, { params: { ...params, audience_name: name } }),
    audiencesKey(params),
  );
