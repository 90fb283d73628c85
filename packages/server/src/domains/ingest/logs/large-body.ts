import { setImmediate } from 'node:timers/promises';
import { outlineBody, parseJson, SCANNED_AT_ONCE } from './body-outline.ts';
import type { InvalidReason, Judged } from './judged-logs.ts';
import { createJudge, SHOWN_LENGTH } from './judged-logs.ts';
import { type StoredBody, textOf, toStored } from './stored-body.ts';

/** Logs of a request as they are kept. Each batch is small, so that a consumer never holds up other work for long. */
export interface ExaminedBatch {
  stored: StoredBody;
  types: ReadonlySet<string>;
  logs: number;
}

/** Result of reading a body. */
export interface Examined extends Pick<Judged, 'invalid' | 'invalidCount' | 'reasons' | 'droppedCount' | 'sender'> {
  /** All logs of it. */
  count: number;
  batches: ExaminedBatch[];
}

/** Bytes of JSON in one batch, unless one log alone is larger. */
const MAX_BATCH_BYTES = 256 * 1024;

const invalidOnly = (reason: InvalidReason, text: string, count: number): Examined => ({
  invalid: count > 0 ? [{ reason, log: text.slice(0, SHOWN_LENGTH) }] : [],
  invalidCount: count,
  reasons: count > 0 ? [reason] : [],
  droppedCount: 0,
  sender: undefined,
  count,
  batches: [],
});

/**
 * Reads a large body log by log, with pauses for other work, so that its objects are never in memory all together and no batch
 * is large.
 */
export async function examineLarge(body: Uint8Array, installId: string | undefined, now: number): Promise<Examined> {
  const text = textOf(body);
  const outline = await outlineBody(text);
  if (typeof outline === 'string') return invalidOnly(outline, text, 1);
  const { spans, count, restStart } = outline;
  if (installId === undefined) {
    const [first] = spans;
    return invalidOnly('no_install_id', text.slice(first?.start, first?.end), count);
  }
  const judge = createJudge(now);
  const batches: ExaminedBatch[] = [];
  let texts: string[] = [];
  let types = new Set<string>();
  let length = 0;

  async function endBatch(): Promise<void> {
    if (texts.length === 0) return;
    const stored = await toStored(Buffer.from(`{"logs":[${texts.join()}]}`));
    batches.push({ stored, types, logs: texts.length });
    [texts, types, length] = [[], new Set(), 0];
  }

  let parsed = 0;
  for (const { start, end, isTooLarge } of spans) {
    if (isTooLarge) judge.setAside('too_large', () => text.slice(start, start + SHOWN_LENGTH));
    else {
      const own = text.slice(start, end);
      const log = parseJson(own);
      if (judge.keeps(log)) {
        if (length + own.length > MAX_BATCH_BYTES) await endBatch();
        texts.push(own);
        types.add(log.type as string);
        length += own.length;
      }
      parsed += own.length;
    }
    if (parsed < SCANNED_AT_ONCE) continue;
    parsed = 0;
    await setImmediate();
  }
  await endBatch();
  if (count > spans.length) {
    const shown = () => text.slice(restStart, restStart + SHOWN_LENGTH);
    judge.setAside('too_many_logs', shown, count - spans.length);
  }
  return { ...judge.result(), count, batches };
}
