import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../../context.ts';
import { inChunks } from '../../../../db/rows/chunks.ts';
import { type ExceptionStack, type Frame, formatFrame, type Stack } from '../../stacks/stack.ts';
import { findSent } from '../reports.store.ts';
import { readStack } from '../reports.ts';
import { cut } from '../values.ts';
import { getSentId } from './parsed-report.ts';

const MAX_FRAMES = 200;
const MAX_LINE_LENGTH = 1024;
/** Stacks to read before yielding to other work. */
const TURN_AFTER = 20;

const formatFrames = (frames: readonly Frame[]): string[] =>
  frames.slice(0, MAX_FRAMES).map((frame) => `\tat ${cut(formatFrame(frame), MAX_LINE_LENGTH)}`);

const formatHeadline = ({ type, message }: ExceptionStack): string =>
  cut([type, message].filter(Boolean).join(': '), MAX_LINE_LENGTH);

/** Formats a stack as programs print it: each exception with its calls, then its cause; without exceptions, the crashed thread. */
export function stackText({ exceptions, threads }: Stack): string {
  const crashed = threads.find(({ isCrashed }) => isCrashed);
  const shown = exceptions.some(({ frames }) => frames.length > 0) ? [] : formatFrames(crashed?.frames ?? []);
  return [
    ...exceptions.flatMap((one, at) => [
      `${at > 0 ? 'Caused by: ' : ''}${formatHeadline(one)}`,
      ...formatFrames(one.frames),
    ]),
    ...shown,
  ].join('\n');
}

/** A crash or error log as an install sent it. */
interface SentReport {
  installId: string;
  log: Readonly<Record<string, unknown>>;
}

/** Reads the symbolicated stacks of received reports; empty if a report is not processed or not stored. */
export async function readSentStacks(
  ctx: Pick<Ctx, 'db'>,
  appId: string,
  sent: readonly SentReport[],
): Promise<string[]> {
  const keyed = sent.map(({ installId, log }) => ({ installId, sentId: getSentId(log) }));
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
