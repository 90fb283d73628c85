import { type AppCtx, workOwner } from '../../../context.ts';
import { dayOf } from '../../../telemetry/index.ts';
import { findReport } from './reports.store.ts';
import { readLogFields } from './reports.ts';
import { type Fields, objectOf } from './values.ts';

/** What the types of logs are called on the wire. */
const typeWords = {
  event: 'event',
  page: 'page',
  startSession: 'start_session',
  distributionStartSession: 'distribution_start_session',
  startService: 'start_service',
  customProperties: 'custom_properties',
  pushInstallation: 'push_installation',
  crash: 'error',
} as const;
const isKnown = (type: string): type is keyof typeof typeWords => type in typeWords;

export interface SessionLogs {
  logs: {
    type: (typeof typeWords)[keyof typeof typeWords];
    at: number;
    installId: string;
    sessionId: string | null;
    device: Fields;
    name: string | undefined;
    properties: Readonly<Record<string, string>>;
  }[];
  /** More came than is told. */
  isMore: boolean;
}

const MOST_LOGS = 100;

/** What came in the session of a report until it, oldest first; the report is the last. */
export async function listSessionLogs(ctx: AppCtx, id: string): Promise<SessionLogs> {
  const report = await findReport.first(ctx.db, { appId: ctx.app.id, id: id.toLowerCase() });
  if (!report) return { logs: [], isMore: false };
  const { install_id: installId, session_id: sessionId, at } = report;
  const device = objectOf((await readLogFields(ctx, report)).device);
  const common = { installId, sessionId, device };
  const properties = JSON.parse(report.properties) as Record<string, string>;
  const itself = { ...common, type: 'error' as const, at, name: undefined, properties };
  if (sessionId === null) return { logs: [itself], isMore: false };
  const day = dayOf(at);
  const found = await ctx.askTelemetry(
    ctx.app.id,
    {
      ask: 'sessionLogs',
      // A session may have begun the day before.
      range: { from: day - 1, to: day },
      filter: {},
      install: installId,
      session: sessionId,
      until: at,
      limit: MOST_LOGS + 1,
    },
    workOwner(ctx),
  );
  // Telemetry tells of crashes too, but not of caught errors: what broke here is known better from the report.
  const before = found.filter((log) => !(log.type === 'crash' && log.at === at));
  const logs = before.slice(0, MOST_LOGS - 1).flatMap((log) =>
    isKnown(log.type)
      ? {
          ...common,
          type: typeWords[log.type],
          at: log.at,
          name: log.name,
          properties: log.properties,
        }
      : [],
  );
  return { logs: [...logs.reverse(), itself], isMore: before.length >= MOST_LOGS };
}
