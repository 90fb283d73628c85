import { type Deps, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { HOUR, toIso } from '../../../kernel/clock.ts';
import { Failure, unavailable } from '../../../kernel/errors.ts';
import {
  type Day,
  type FileKind,
  fileKinds,
  getDayStart,
  type Part,
  type QueryResult,
  type TelemetryQuery,
} from '../../../telemetry/index.ts';
import { dropDamagedCopies, localFiles } from './files.ts';
import type { StoredPart } from './parts.ts';

interface RebuiltDay {
  appId: string;
  day: Day;
}

/** Repairs damaged or lost files of a day. */
export const dayRebuild = defineJob<RebuiltDay>('analytics_days.rebuild', { maxAttempts: 8 });
/** The former name, which queued jobs and dead letters may still have. */
export const formerDayRebuild = defineJob<RebuiltDay>('analytics_days.mend', { maxAttempts: 8 });

type ReadingDeps = Pick<Deps, 'db' | 'blobs' | 'config' | 'log' | 'clock' | 'newId' | 'wakeJobs'>;

/** Time of the last report, so that each damaged segment is reported at most once an hour. */
const reported = new Map<string, number>();
const REPORT_EVERY = HOUR;
const MAX_REPORTED = 10_000;

async function reportDamage(ctx: ReadingDeps, damaged: readonly StoredPart[]): Promise<void> {
  const now = ctx.clock.now();
  // Reports from the future, before a wrong clock was corrected, do not count: their jobs are not due yet.
  const isRecent = (at: number) => at >= now - REPORT_EVERY && at <= now;
  const newlyDamaged = damaged.filter(({ id }) => !isRecent(reported.get(id) ?? Number.NEGATIVE_INFINITY));
  if (newlyDamaged.length === 0) return;
  if (reported.size > MAX_REPORTED) reported.clear();
  for (const part of newlyDamaged) {
    reported.set(part.id, now);
    ctx.log.error({ app: part.appId, day: part.day, part: part.id }, 'telemetry files are damaged or missing');
  }
  const days = new Map(newlyDamaged.map(({ appId, day }) => [`${appId} ${day}`, { appId, day }]));
  await tx(ctx, async (ctx) => {
    for (const each of days.values()) await enqueue(ctx, dayRebuild, each);
  });
}

/** Local files of segments. */
async function partsHere(
  ctx: ReadingDeps,
  parts: readonly StoredPart[],
  kinds: readonly FileKind[],
  unneeded?: ReadonlySet<string>,
): Promise<Part[]> {
  const { files, damaged } = await localFiles(ctx, parts, kinds, unneeded);
  const [first] = damaged;
  if (first) {
    await reportDamage(ctx, damaged);
    const day = toIso(getDayStart(first.day)).slice(0, 10);
    throw unavailable(
      `Telemetry of ${day} can't be read: a file is missing or damaged. The server is rebuilding it, so retry in a few minutes. If this error persists, ask an administrator to check the dead letters, which name the file to restore.`,
    );
  }
  return parts.flatMap(({ id, appId, day, forgotten: erasures }, at) => {
    const names = files[at];
    return names ? [{ ...names, id, appId, day, erasures }] : [];
  });
}

/** Passes the files of segments to `work`, and repeats it if it fails and a local copy was damaged. */
export async function withParts<T>(
  ctx: ReadingDeps,
  parts: readonly StoredPart[],
  requestedKinds: readonly FileKind[],
  work: (here: Part[]) => Promise<T>,
  unneeded?: ReadonlySet<string>,
): Promise<T> {
  // Extracts do not name devices, so erasures of devices require the logs.
  const isMarked = parts.some(({ forgotten }) => forgotten.some(({ kind }) => kind !== 'event'));
  const kinds = isMarked ? fileKinds : requestedKinds;
  const here = await partsHere(ctx, parts, kinds, unneeded);
  try {
    return await work(here);
  } catch (error) {
    if (error instanceof Failure || !(await dropDamagedCopies(ctx, parts, kinds))) throw error;
    return work(await partsHere(ctx, parts, kinds));
  }
}

/** Queries segments. Copies files only of segments that the engine has not loaded. */
export async function queryParts<Q extends TelemetryQuery>(
  ctx: ReadingDeps & Pick<Deps, 'telemetry'>,
  parts: readonly StoredPart[],
  telemetryQuery: Q,
): Promise<QueryResult<Q['kind']>> {
  const { telemetry } = ctx;
  const owner = workOwner(ctx, parts[0]?.appId);
  const runQuery = (loadedIds?: ReadonlySet<string>) =>
    withParts(
      ctx,
      parts,
      telemetry.getFileKinds(telemetryQuery.kind),
      (here) => telemetry.query(telemetryQuery, here, owner),
      loadedIds,
    );
  const loadedIds = await telemetry.held(parts);
  try {
    return await runQuery(loadedIds);
  } catch (error) {
    // The engine may have dropped a segment in the meantime.
    if (error instanceof Failure || loadedIds.size === 0) throw error;
    return runQuery();
  }
}
