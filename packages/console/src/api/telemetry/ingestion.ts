import {
  App_BlockLogs,
  App_UnblockLogs,
  appSecrets_rotate,
  Devices_BlockLogs,
  type EndpointOutput,
  ingestion_get,
  ingestion_watch,
  logs_send,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type App, type AppRef, appKey, toAppRef } from '../apps.ts';
import { call, useChange } from '../client.ts';
import { useLive } from '../live.ts';

export type Ingestion = EndpointOutput<typeof ingestion_get>;

export const ingestionKey = (appRef: AppRef) => [...appKey(appRef), 'ingestion'];

const POLL_INTERVAL_MS = 10_000;

/** Refetches the status as soon as the first device sends data, while the page is visible. */
export function useFirstDevice(appRef: AppRef): void {
  const path = ingestion_watch.path.replace(/\{(\w+)\}/g, (_, name: keyof AppRef) => encodeURIComponent(appRef[name]));
  useLive(path, ingestionKey(appRef));
}

/** Polls, because the user waits for a device. */
export const useIngestion = (params: AppRef, isPolled = true) =>
  useQuery({
    queryKey: ingestionKey(params),
    queryFn: () => call(ingestion_get, { params }),
    refetchInterval: isPolled && POLL_INTERVAL_MS,
  });

/** `crypto.randomUUID` needs a secure context. */
function randomId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Logs that an SDK sends when an app starts and tracks an event. */
function testLogs(): object[] {
  const sid = randomId();
  const timestamp = new Date().toISOString();
  const device = {
    sdkName: 'mooring.console',
    sdkVersion: '1.0.0',
    model: 'Test',
    osName: 'Browser',
    osVersion: '1',
    locale: 'en_US',
    timeZoneOffset: 0,
    appVersion: '0.0.1',
    appBuild: '1',
  };
  const event = { type: 'event', id: randomId(), name: 'Test of ingestion', properties: { by: 'console' } };
  return [
    { type: 'startSession', timestamp, sid, device },
    { ...event, timestamp, sid, device },
  ];
}

export const useSendTest = (app: App) =>
  useChange(
    () =>
      call(logs_send, {
        query: {},
        headers: { 'app-secret': app.app_secret, 'install-id': randomId() },
        body: new TextEncoder().encode(JSON.stringify({ logs: testLogs() })),
      }),
    ingestionKey(toAppRef(app)),
  );

/** Starts or stops dropping the app's logs. */
export const useBlockApp = (params: AppRef) =>
  useChange(async (isBlocked: boolean): Promise<void> => {
    if (isBlocked) await call(App_BlockLogs, { params, body: {} });
    else await call(App_UnblockLogs, { params });
  }, ingestionKey(params));

export const useBlockInstall = (params: AppRef) =>
  useChange(
    (install_id: string) => call(Devices_BlockLogs, { params: { ...params, install_id }, body: {} }),
    ingestionKey(params),
  );

export const useRotateSecret = (params: AppRef) =>
  useChange((overlap_hours: number) => call(appSecrets_rotate, { params, body: { overlap_hours } }), appKey(params));
