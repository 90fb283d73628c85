import {
  type EndpointInput,
  type EndpointOutput,
  ExportConfigurations_Create,
  ExportConfigurations_Delete,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_List,
  ExportConfigurations_PartialUpdate,
  ExportConfigurations_Test,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange } from '../client.ts';

export type Export = EndpointOutput<typeof ExportConfigurations_List>['values'][number];
export type NewExport = EndpointInput<typeof ExportConfigurations_Create>['body'];
export type ExportChange = EndpointInput<typeof ExportConfigurations_PartialUpdate>['body'];

const exportsKey = (appRef: AppRef) => [...appKey(appRef), 'exports'];
const at = (appRef: AppRef, { id }: Export) => ({ ...appRef, export_configuration_id: id });
const POLL_INTERVAL_MS = 10_000;

/** Polls, because the user waits for the first run or watches its progress. */
export const useExports = (params: AppRef) =>
  useQuery({
    queryKey: exportsKey(params),
    queryFn: async () => (await call(ExportConfigurations_List, { params })).values,
    refetchInterval: POLL_INTERVAL_MS,
  });

export const useCreateExport = (params: AppRef) =>
  useChange((body: NewExport) => call(ExportConfigurations_Create, { params, body }), exportsKey(params));

export const useChangeExport = (params: AppRef) =>
  useChange(
    ({ one, ...body }: { one: Export } & ExportChange) =>
      call(ExportConfigurations_PartialUpdate, { params: at(params, one), body }),
    exportsKey(params),
  );

export const useEnableExport = (params: AppRef) =>
  useChange(
    ({ one, backfill }: { one: Export; backfill: boolean }) =>
      call(ExportConfigurations_Enable, { params: at(params, one), body: { backfill } }),
    exportsKey(params),
  );

export const useDisableExport = (params: AppRef) =>
  useChange(
    (one: Export) => call(ExportConfigurations_Disable, { params: at(params, one), body: {} }),
    exportsKey(params),
  );

export const useDeleteExport = (params: AppRef) =>
  useChange((one: Export) => call(ExportConfigurations_Delete, { params: at(params, one) }), exportsKey(params));

/** The result of a test, with its export. */
export const useTestExport = (params: AppRef) =>
  useChange(async (one: Export) => ({
    one,
    ...(await call(ExportConfigurations_Test, { params: at(params, one), body: {} })),
  }));
