import { type Deps, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { HOUR, toIso } from '../../../kernel/clock.ts';
import { Failure, unavailable } from '../../../kernel/errors.ts';
import {
  type Answer,
  type Day,
  type FileKind,
  fileKinds,
  type Part,
  type Question,
  startOfDay,
} from '../../../telemetry/index.ts';
import { dropDamagedCopies, localFiles } from './files.ts';
import type { StoredPart } from './parts.ts';

/** Makes files of a day again that are damaged or lost. */
export const dayMend = defineJob<{ appId: string; day: Day }>('analytics_days.mend', { maxAttempts: 8 });

type ReadingDeps = Pick<Deps, 'db' | 'blobs' | 'config' | 'log' | 'clock' | 'newId' | 'wakeJobs'>;

/** When damage was reported; whoever asks meanwhile need not do so again. */
const reported = new Map<string, number>();
const REPORT_EVERY = HOUR;
const MOST_REPORTED = 10_000;

async function reportDamage(ctx: ReadingDeps, damaged: readonly StoredPart[]): Promise<void> {
  const now = ctx.clock.now();
  const news = damaged.filter(({ id }) => (reported.get(id) ?? Number.NEGATIVE_INFINITY) < now - REPORT_EVERY);
  if (news.length === 0) return;
  if (reported.size > MOST_REPORTED) reported.clear();
  for (const part of news) {
    reported.set(part.id, now);
    ctx.log.error({ app: part.appId, day: part.day, part: part.id }, 'files with telemetry are damaged or missing');
  }
  const days = new Map(news.map(({ appId, day }) => [`${appId} ${day}`, { appId, day }]));
  await tx(ctx, async (ctx) => {
    for (const each of days.values()) await enqueue(ctx, dayMend, each);
  });
}

/** The files of parts, on this machine. */
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
    const day = toIso(startOfDay(first.day)).slice(0, 10);
    throw unavailable(
      `Telemetry of ${day} cannot be read: a file of it is missing or damaged. It is made again from what is still kept; if this lasts longer than a few minutes, the dead letters of the administration say what to restore.`,
    );
  }
  return parts.flatMap(({ id, appId, day, forgotten }, at) => {
    const names = files[at];
    return names ? [{ ...names, id, appId, day, forgotten }] : [];
  });
}

/** Gives the files of parts to `work`, and once more if it fails and a copy here turns out to be damaged. */
export async function withParts<T>(
  ctx: ReadingDeps,
  parts: readonly StoredPart[],
  wanted: readonly FileKind[],
  work: (here: Part[]) => Promise<T>,
  unneeded?: ReadonlySet<string>,
): Promise<T> {
  // What must not be seen of a device is only told by the logs.
  const isMarked = parts.some(({ forgotten }) => forgotten.some(({ kind }) => kind !== 'event'));
  const kinds = isMarked ? fileKinds : wanted;
  const here = await partsHere(ctx, parts, kinds, unneeded);
  try {
    return await work(here);
  } catch (error) {
    if (error instanceof Failure || !(await dropDamagedCopies(ctx, parts, kinds))) throw error;
    return work(await partsHere(ctx, parts, kinds));
  }
}

/** Asks what counts telemetry about parts. Files come here only of those that it does not have by itself. */
export async function askParts<Q extends Question>(
  ctx: ReadingDeps & Pick<Deps, 'telemetry'>,
  parts: readonly StoredPart[],
  question: Q,
): Promise<Answer<Q['ask']>> {
  const { telemetry } = ctx;
  const owner = workOwner(ctx, parts[0]?.appId);
  const ask = (held?: ReadonlySet<string>) =>
    withParts(ctx, parts, telemetry.kindsOf(question.ask), (here) => telemetry.ask(question, here, owner), held);
  const held = await telemetry.held(parts);
  try {
    return await ask(held);
  } catch (error) {
    // It may have lost one meanwhile.
    if (error instanceof Failure || held.size === 0) throw error;
    return ask();
  }
}
