import { setImmediate } from 'node:timers/promises';
import type { Ctx, SentReport } from '../../../context.ts';
import { inChunks } from '../../../db/chunks.ts';
import { type ExceptionStack, type Frame, formatFrame, type Stack } from '../stacks/stack.ts';
import { sentIdOf } from './parsed-report.ts';
import { findSent } from './reports.store.ts';
import { readStack } from './reports.ts';
import { cut } from './values.ts';

const MOST_FRAMES = 200;
const LONGEST = 1024;
/** Stacks that are read before other work has its turn. */
const TURN_AFTER = 20;

const linesOf = (frames: readonly Frame[]): string[] =>
  frames.slice(0, MOST_FRAMES).map((frame) => `\tat ${cut(formatFrame(frame), LONGEST)}`);

const headOf = ({ type, message }: ExceptionStack): string => cut([type, message].filter(Boolean).join(': '), LONGEST);

/** As programs print it: each exception with its calls, the cause after it; without one, the thread that crashed. */
export function stackText({ exceptions, threads }: Stack): string {
  const crashed = threads.find(({ isCrashed }) => isCrashed);
  const shown = exceptions.some(({ frames }) => frames.length > 0) ? [] : linesOf(crashed?.frames ?? []);
  return [
    ...exceptions.flatMap((one, at) => [`${at > 0 ? 'Caused by: ' : ''}${headOf(one)}`, ...linesOf(one.frames)]),
    ...shown,
  ].join('\n');
}

/** With names instead of addresses, as far as symbols are here; nothing of what is not processed yet. */
export async function readSentStacks(
  ctx: Pick<Ctx, 'db'>,
  appId: string,
  sent: readonly SentReport[],
): Promise<string[]> {
  const keyed = sent.map(({ installId, log }) => ({ installId, sentId: sentIdOf(log) }));
  const byKey = new Map<string, string>();
  await inChunks([...new Set(keyed.map(({ sentId }) => sentId))], async (ids) => {
    for (const { id, install_id, sent_id } of await findSent(ctx.db, appId, ids))
      byKey.set(`${install_id} ${sent_id}`, id);
  });
  const reading = { db: ctx.db, app: { id: appId, ownerId: '', ownerName: '', name: '' } };
  const stacks: string[] = [];
  for (const [at, { installId, sentId }] of keyed.entries()) {
    if (at % TURN_AFTER === 0) await setImmediate();
    const report = byKey.get(`${installId} ${sentId}`);
    stacks.push(report === undefined ? '' : stackText(await readStack(reading, { id: report })));
  }
  return stacks;
}
