import { setImmediate } from 'node:timers/promises';
import { type StoredBody, toStored } from '../batches/stored-body.ts';
import { outlineBody, SCANNED_AT_ONCE } from '../validation/body-outline.ts';
import {
  createLogValidator,
  type InvalidReason,
  type ValidationResult,
  VISIBLE_LENGTH,
} from '../validation/log-validation.ts';
import { decodeText, parseBodyText } from '../validation/parse-body.ts';

/** Logs of a request in stored form. Batches are small, so that consumers never block other work for long. */
export interface ExaminedBatch {
  stored: StoredBody;
  types: ReadonlySet<string>;
  logs: number;
}

/** Result of reading a body. */
export interface Examined
  extends Pick<ValidationResult, 'invalid' | 'invalidCount' | 'reasons' | 'droppedCount' | 'source'> {
  /** Number of logs. */
  count: number;
  batches: ExaminedBatch[];
}

/** Bytes of JSON per batch, unless a single log is larger. */
const MAX_BATCH_BYTES = 256 * 1024;

const invalidOnly = (reason: InvalidReason, text: string, count: number): Examined => ({
  invalid: count > 0 ? [{ reason, log: text.slice(0, VISIBLE_LENGTH) }] : [],
  invalidCount: count,
  reasons: count > 0 ? [reason] : [],
  droppedCount: 0,
  source: undefined,
  count,
  batches: [],
});

/**
 * Reads a large body log by log, with pauses for other work, so that its objects are never all in memory and batches stay
 * small.
 */
export async function examineLarge(body: Uint8Array, installId: string | undefined, now: number): Promise<Examined> {
  const text = decodeText(body);
  const outline = await outlineBody(text);
  if (typeof outline === 'string') return invalidOnly(outline, text, 1);
  const { spans, count, restStart } = outline;
  if (installId === undefined) {
    const [first] = spans;
    return invalidOnly('no_install_id', text.slice(first?.start, first?.end), count);
  }
  const validator = createLogValidator(now);
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
    if (isTooLarge) validator.setAside('too_large', () => text.slice(start, start + VISIBLE_LENGTH));
    else {
      const own = text.slice(start, end);
      const log = parseBodyText(own);
      if (validator.accepts(log)) {
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
    const shown = () => text.slice(restStart, restStart + VISIBLE_LENGTH);
    validator.setAside('too_many_logs', shown, count - spans.length);
  }
  return { ...validator.result(), count, batches };
}
