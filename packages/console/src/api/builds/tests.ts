import {
  type EndpointOutput,
  test_archiveTestRun,
  test_createDeviceSelection,
  test_createDeviceSetOfOwner,
  test_deleteDeviceSetOfOwner,
  test_getDeviceConfigurations,
  test_getTestRuns,
  test_listDeviceSetsOfOwner,
  test_stopTestRun,
  testRuns_compare,
  testRuns_getResults,
  testRuns_import,
  testRuns_rerun,
  testRuns_watch,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { useLive } from '../live.ts';

export type TestRun = EndpointOutput<typeof test_getTestRuns>[number];
export type TestResults = EndpointOutput<typeof testRuns_getResults>;
export type TestDevice = TestResults['devices'][number];
export type RunTest = TestResults['tests'][number];
export type Outcome = RunTest['outcomes'][number];
export type TestComparison = EndpointOutput<typeof testRuns_compare>;
export type DeviceConfiguration = EndpointOutput<typeof test_getDeviceConfigurations>[number];
export type DeviceSet = EndpointOutput<typeof test_listDeviceSetsOfOwner>[number];

const testsKey = (appRef: AppRef) => [...appKey(appRef), 'tests'];
const at = (appRef: AppRef, test_run_id: string) => ({ ...appRef, test_run_id });

export const useTestRuns = (appRef: AppRef) =>
  useRead([...testsKey(appRef), 'runs'], () => call(test_getTestRuns, { params: appRef }));

/** Test runs of a release or a build. */
export const useLinkedTestRuns = (appRef: AppRef, query: { release_id?: number; build_id?: number }) =>
  useRead([...testsKey(appRef), 'runs', query], () => call(test_getTestRuns, { params: appRef, query }));

export const useTestResults = (appRef: AppRef, id: string) =>
  useRead([...testsKey(appRef), 'run', id], () => call(testRuns_getResults, { params: at(appRef, id) }));

/** The path of a file on this server: the console may run at another origin than the public URL. */
export const getFilePath = (url: string): string => {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
};

/** Fetches a log. */
export const useTestLog = (url: string) =>
  useRead(['test-log', url], async () => {
    const response = await fetch(getFilePath(url));
    if (!response.ok) throw new Error(`The log was deleted (${response.status}).`);
    return response.text();
  });

/** Compares with another run, by default the previous one. */
export const useTestComparison = (appRef: AppRef, id: string, other: string | undefined) =>
  useRead([...testsKey(appRef), 'run', id, 'compared', other], () =>
    call(testRuns_compare, { params: at(appRef, id), query: other === undefined ? {} : { with: other } }),
  );

/** Refetches a run whenever the server reports a change. */
export const useLiveRun = (appRef: AppRef, id: string): void =>
  useLive(
    testRuns_watch.path
      .replace('{owner_name}', encodeURIComponent(appRef.owner_name))
      .replace('{app_name}', encodeURIComponent(appRef.app_name))
      .replace('{test_run_id}', encodeURIComponent(id)),
    [...testsKey(appRef), 'run', id],
  );

export const useStopRun = (appRef: AppRef, id: string) =>
  useChange(() => call(test_stopTestRun, { params: at(appRef, id) }), testsKey(appRef));

export const useArchiveRun = (appRef: AppRef) =>
  useChange(({ id }: TestRun) => call(test_archiveTestRun, { params: at(appRef, id) }), testsKey(appRef));

export const useRerun = (appRef: AppRef, id: string) =>
  useChange(
    (isOnlyFailed: boolean) => call(testRuns_rerun, { params: at(appRef, id), body: { only_failed: isOnlyFailed } }),
    testsKey(appRef),
  );

export const useImportTests = (appRef: AppRef) =>
  useChange(
    ({ file, device, series }: { file: File; device: string; series: string }) =>
      call(testRuns_import, {
        params: appRef,
        query: { ...(device ? { device } : {}), ...(series ? { test_series: series } : {}) },
        file,
      }),
    testsKey(appRef),
  );

export const useDevices = (appRef: AppRef) =>
  useRead([...testsKey(appRef), 'devices'], () => call(test_getDeviceConfigurations, { params: appRef }));

export const useDeviceSets = (appRef: AppRef) =>
  useRead([...testsKey(appRef), 'sets'], () => call(test_listDeviceSetsOfOwner, { params: appRef }));

export const useCreateDeviceSet = (appRef: AppRef) =>
  useChange(
    (body: { name: string; devices: string[] }) => call(test_createDeviceSetOfOwner, { params: appRef, body }),
    testsKey(appRef),
  );

export const useDeleteDeviceSet = (appRef: AppRef) =>
  useChange(({ id }: DeviceSet) => call(test_deleteDeviceSetOfOwner, { params: { ...appRef, id } }), testsKey(appRef));

export const useSelectDevices = (appRef: AppRef) =>
  useChange(
    (devices: string[]) => call(test_createDeviceSelection, { params: appRef, body: { devices } }),
    testsKey(appRef),
  );
