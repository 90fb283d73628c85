import type { AppCtx } from '../../../../context.ts';
import { parseOwnJson } from '../../../../kernel/text/json.ts';
import { toDay } from '../../../../telemetry/index.ts';
import { queryTelemetry } from '../../../analytics/index.ts';
import { findReport } from '../reports.store.ts';
import { readLogFields } from '../reports.ts';
import { type Fields, toObject } from '../values.ts';
import { listBreadcrumbs } from './breadcrumbs.ts';

/** Names of log types in the API. */
const typeNames = {
  event: 'event',
  page: 'page',
  startSession: 'start_session',
  distributionStartSession: 'distribution_start_session',
  startService: 'start_service',
  customProperties: 'custom_properties',
  pushInstallation: 'push_installation',
  crash: 'error',
} as const;
const isKnown = (type: string): type is keyof typeof typeNames => type in typeNames;

export interface SessionLogs {
  logs: {
    type: (typeof typeNames)[keyof typeof typeNames];
    at: number;
    installId: string;
    sessionId: string | null;
    device: Fields;
    name: string | undefined;
    properties: Readonly<Record<string, string>>;
  }[];
  /** The list is truncated. */
  isMore: boolean;
}

const MAX_LOGS = 100;

/** Logs of the session up to the report, oldest first; the report is the last. */
export async function listSessionLogs(ctx: AppCtx, id: string): Promise<SessionLogs> {
  const report = await findReport.first(ctx.db, { appId: ctx.app.id, id: id.toLowerCase() });
  if (!report) return { logs: [], isMore: false };
  const { install_id: installId, session_id: sessionId, at } = report;
  const fields = await readLogFields(ctx, report);
  const device = toObject(fields.device);
  const common = { installId, sessionId, device };
  const properties = parseOwnJson<Record<string, string>>(report.properties);
  const itself = { ...common, type: 'error' as const, at, name: undefined, properties };
  const breadcrumbs = listBreadcrumbs(fields);
  // The app recorded them for this report; the logs of its session would repeat them.
  if (breadcrumbs.length > 0) {
    const shown = breadcrumbs.slice(-(MAX_LOGS - 1));
    const logs = shown.map((one) => ({ ...common, ...one, at: one.at ?? at }));
    return { logs: [...logs, itself], isMore: breadcrumbs.length > shown.length };
  }
  if (sessionId === null) return { logs: [itself], isMore: false };
  const day = toDay(at);
  const found = await queryTelemetry(ctx, ctx.app.id, {
    kind: 'sessionLogs',
    // A session may have begun the day before.
    range: { from: day - 1, to: day },
    filter: {},
    install: installId,
    session: sessionId,
    until: at,
    limit: MAX_LOGS + 1,
  });
  // Telemetry contains crashes too, without caught errors; the report itself has more details.
  const before = found.filter((log) => !(log.type === 'crash' && log.at === at));
  const logs = before.slice(0, MAX_LOGS - 1).flatMap((log) =>
    isKnown(log.type)
      ? {
          ...common,
          type: typeNames[log.type],
          at: log.at,
          name: log.name,
          properties: log.properties,
        }
      : [],
  );
  return { logs: [...logs.reverse(), itself], isMore: before.length >= MAX_LOGS };
}
