import {
  Analytics_GenericLogFlow,
  Analytics_LogFlow,
  analytics_watchLogs,
  Crashes_ListSessionLogs,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { type FlowLog, followLogs, listCrashSession, watchFlow } from './log-flow.ts';

/** Of the device, whatever it says; what must be there is empty if it does not. */
const deviceTexts = {
  wrapper_sdk_version: 'wrapperSdkVersion',
  wrapper_sdk_name: 'wrapperSdkName',
  model: 'model',
  oem_name: 'oemName',
  os_build: 'osBuild',
  screen_size: 'screenSize',
  carrier_name: 'carrierName',
  carrier_code: 'carrierCode',
  carrier_country: 'carrierCountry',
  app_namespace: 'appNamespace',
  live_update_release_label: 'liveUpdateReleaseLabel',
  live_update_deployment_key: 'liveUpdateDeploymentKey',
  live_update_package_hash: 'liveUpdatePackageHash',
  wrapper_runtime_version: 'wrapperRuntimeVersion',
} as const;

const integerOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) ? value : undefined;

function deviceToWire(device: FlowLog['device']) {
  const text = (name: string): string | undefined => {
    const value = device[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const level = integerOf(device.osApiLevel);
  const texts = Object.entries(deviceTexts).flatMap(([name, field]) => {
    const value = text(field);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    sdk_name: text('sdkName') ?? '',
    sdk_version: text('sdkVersion') ?? '',
    os_name: text('osName') ?? '',
    os_version: text('osVersion') ?? '',
    locale: text('locale') ?? '',
    time_zone_offset: Math.max(-840, Math.min(840, integerOf(device.timeZoneOffset) ?? 0)),
    app_version: text('appVersion') ?? '',
    app_build: text('appBuild') ?? '',
    ...(level === undefined ? {} : { os_api_level: level }),
    ...(Object.fromEntries(texts) as Partial<Record<keyof typeof deviceTexts, string>>),
  };
}

const commonToWire = ({ type, at, installId, device, sessionId, properties }: FlowLog) => ({
  type,
  timestamp: toIso(at),
  install_id: installId,
  device: deviceToWire(device),
  ...(sessionId === undefined ? {} : { session_id: sessionId }),
  ...(properties === undefined ? {} : { properties }),
});

const genericToWire = (log: FlowLog) => ({
  ...commonToWire(log),
  ...(log.id === undefined ? {} : { event_id: log.id }),
  ...(log.name === undefined ? {} : { event_name: log.name }),
});

async function* watchToWire(source: ReturnType<typeof watchFlow>) {
  for await (const { event, id, logs, isCut } of source) {
    if (event === 'watching') yield { event, id, data: {} };
    else yield { event, id, data: { logs: logs.map(genericToWire), is_cut: isCut } };
  }
}

/** What came, with each log as the operation tells it beyond what all have. */
async function flowToWire<T extends object>(ctx: AppCtx, start: string | undefined, more: (log: FlowLog) => T) {
  const { logs, last, isMore } = await followLogs(ctx, start);
  return {
    exceeded_max_limit: isMore,
    last_received_log_timestamp: last,
    logs: logs.map((log) => ({ ...commonToWire(log), ...more(log) })),
  };
}

export const logFlowRoutes = [
  route(analytics_watchLogs, async (ctx, { query: { seconds, ...filter } }, { signal, lastEventId }) =>
    watchToWire(watchFlow(ctx, filter, { signal, lastEventId, seconds })),
  ),
  route(Crashes_ListSessionLogs, async (ctx, { params, query }) => {
    const { logs, isMore } = await listCrashSession(ctx, params.crash_id, query.date);
    return {
      exceeded_max_limit: isMore,
      last_received_log_timestamp: toIso(logs.at(-1)?.at ?? ctx.clock.now()),
      logs: logs.map(genericToWire),
    };
  }),
  route(Analytics_LogFlow, (ctx, { query }) =>
    flowToWire(ctx, query.start, ({ id, name, services, distributionGroupId, pushToken }) => ({
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(services === undefined ? {} : { services }),
      ...(distributionGroupId === undefined ? {} : { distribution_group_id: distributionGroupId }),
      ...(pushToken === undefined ? {} : { push_token: pushToken }),
    })),
  ),
  route(Analytics_GenericLogFlow, (ctx, { query }) =>
    flowToWire(ctx, query.start, ({ id, name }) => ({
      ...(id === undefined ? {} : { event_id: id }),
      ...(name === undefined ? {} : { event_name: name }),
    })),
  ),
];
