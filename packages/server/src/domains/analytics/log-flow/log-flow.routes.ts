import { Analytics_GenericLogFlow, Analytics_LogFlow, analytics_watchLogs } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { deviceToWire } from '../../ingest/index.ts';
import { type FlowLog, followLogs, watchFlow } from './log-flow.ts';

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

/** Recent logs; `more` adds the fields of the operation to the common ones. */
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
    watchToWire(watchFlow(ctx, filter, { signal: signal(), lastEventId, seconds })),
  ),
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
