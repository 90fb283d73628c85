import {
  ExportConfigurations_Create,
  ExportConfigurations_Delete,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_List,
  ExportConfigurations_PartialUpdate,
  ExportConfigurations_Test,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange } from './client.ts';

export type Export = OutputOf<typeof ExportConfigurations_List>['values'][number];
export type NewExport = InputOf<typeof ExportConfigurations_Create>['body'];
export type ExportChange = InputOf<typeof ExportConfigurations_PartialUpdate>['body'];

const keyOf = (appRef: AppRef) => [...appKey(appRef), 'exports'];
const at = (appRef: AppRef, { id }: Export) => ({ ...appRef, export_configuration_id: id });
const EVERY = 10_000;

/** Read again every few seconds: whoever looks waits for the first run, or sees how far it is. */
export const useExports = (params: AppRef) =>
  useQuery({
    queryKey: keyOf(params),
    queryFn: async () => (await call(ExportConfigurations_List, { params })).values,
    refetchInterval: EVERY,
  });

export const useCreateExport = (params: AppRef) =>
  useChange((body: NewExport) => call(ExportConfigurations_Create, { params, body }), keyOf(params));

export const useChangeExport = (params: AppRef) =>
  useChange(
    ({ one, ...body }: { one: Export } & ExportChange) =>
      call(ExportConfigurations_PartialUpdate, { params: at(params, one), body }),
    keyOf(params),
  );

export const useEnableExport = (params: AppRef) =>
  useChange(
    ({ one, backfill }: { one: Export; backfill: boolean }) =>
      call(ExportConfigurations_Enable, { params: at(params, one), body: { backfill } }),
    keyOf(params),
  );

export const useDisableExport = (params: AppRef) =>
  useChange((one: Export) => call(ExportConfigurations_Disable, { params: at(params, one), body: {} }), keyOf(params));

export const useDeleteExport = (params: AppRef) =>
  useChange((one: Export) => call(ExportConfigurations_Delete, { params: at(params, one) }), keyOf(params));

/** What came of it, and of which. */
export const useTestExport = (params: AppRef) =>
  useChange(async (one: Export) => ({
    one,
    ...(await call(ExportConfigurations_Test, { params: at(params, one), body: {} })),
  }));
