import {
  type OutputOf,
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
  testRuns_rerun,
  testRuns_watch,
} from '@mooring/contract';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, useRead } from './client.ts';
import { useLive } from './live.ts';

export type TestRun = OutputOf<typeof test_getTestRuns>[number];
export type TestResults = OutputOf<typeof testRuns_getResults>;
export type TestDevice = TestResults['devices'][number];
export type TestOfRun = TestResults['tests'][number];
export type Outcome = TestOfRun['outcomes'][number];
export type TestComparison = OutputOf<typeof testRuns_compare>;
export type DeviceConfiguration = OutputOf<typeof test_getDeviceConfigurations>[number];
export type DeviceSet = OutputOf<typeof test_listDeviceSetsOfOwner>[number];

const keyOf = (appRef: AppRef) => [...appKey(appRef), 'tests'];
const at = (appRef: AppRef, test_run_id: string) => ({ ...appRef, test_run_id });

export const useTestRuns = (appRef: AppRef) =>
  useRead([...keyOf(appRef), 'runs'], () => call(test_getTestRuns, { params: appRef }));

/** Those that tested a release or a build. */
export const useTestRunsOf = (appRef: AppRef, query: { release_id?: number; build_id?: number }) =>
  useRead([...keyOf(appRef), 'runs', query], () => call(test_getTestRuns, { params: appRef, query }));

export const useTestResults = (appRef: AppRef, id: string) =>
  useRead([...keyOf(appRef), 'run', id], () => call(testRuns_getResults, { params: at(appRef, id) }));

/** The text of a log; by its path, as the console may be open under another address than the public one. */
export const useTestLog = (url: string) =>
  useRead(['test-log', url], async () => {
    const { pathname, search } = new URL(url, location.href);
    const answer = await fetch(`${pathname}${search}`);
    if (!answer.ok) throw new Error(`The log is not there any more (${answer.status}).`);
    return answer.text();
  });

/** With another run, or with the one before. */
export const useTestComparison = (appRef: AppRef, id: string, other: string | undefined) =>
  useRead([...keyOf(appRef), 'run', id, 'compared', other], () =>
    call(testRuns_compare, { params: at(appRef, id), query: other === undefined ? {} : { with: other } }),
  );

/** Reads a run again whenever the server says that it changed. */
export const useLiveRun = (appRef: AppRef, id: string): void =>
  useLive(
    testRuns_watch.path
      .replace('{owner_name}', encodeURIComponent(appRef.owner_name))
      .replace('{app_name}', encodeURIComponent(appRef.app_name))
      .replace('{test_run_id}', encodeURIComponent(id)),
    [...keyOf(appRef), 'run', id],
  );

export const useStopRun = (appRef: AppRef, id: string) =>
  useChange(() => call(test_stopTestRun, { params: at(appRef, id) }), keyOf(appRef));

export const useArchiveRun = (appRef: AppRef) =>
  useChange(({ id }: TestRun) => call(test_archiveTestRun, { params: at(appRef, id) }), keyOf(appRef));

export const useRerun = (appRef: AppRef, id: string) =>
  useChange(
    (isOnlyFailed: boolean) => call(testRuns_rerun, { params: at(appRef, id), body: { only_failed: isOnlyFailed } }),
    keyOf(appRef),
  );

export const useDevices = (appRef: AppRef) =>
  useRead([...keyOf(appRef), 'devices'], () => call(test_getDeviceConfigurations, { params: appRef }));

export const useDeviceSets = (appRef: AppRef) =>
  useRead([...keyOf(appRef), 'sets'], () => call(test_listDeviceSetsOfOwner, { params: appRef }));

export const useCreateDeviceSet = (appRef: AppRef) =>
  useChange(
    (body: { name: string; devices: string[] }) => call(test_createDeviceSetOfOwner, { params: appRef, body }),
    keyOf(appRef),
  );

export const useDeleteDeviceSet = (appRef: AppRef) =>
  useChange(({ id }: DeviceSet) => call(test_deleteDeviceSetOfOwner, { params: { ...appRef, id } }), keyOf(appRef));

export const useSelectDevices = (appRef: AppRef) =>
  useChange(
    (devices: string[]) => call(test_createDeviceSelection, { params: appRef, body: { devices } }),
    keyOf(appRef),
  );
