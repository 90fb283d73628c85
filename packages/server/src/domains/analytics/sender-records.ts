import type { SenderRecords } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { startOfDay } from '../../telemetry/index.ts';
import { listDeletions, USER_LENGTH } from './deletion/forgotten.ts';
import { compactApp } from './parts/compaction.ts';
import { listParts } from './parts/parts.ts';
import { askParts } from './parts/reading.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };
const PAGE = 5000;

/** Telemetry of an installation or a user, day by day. */
export const senderTelemetry: SenderRecords = {
  name: 'telemetry',
  async *read(ctx, { appId, kind, value }) {
    // What waits in batches is telemetry, too.
    await compactApp(ctx, appId);
    const sender = { kind, value: cutText(value, USER_LENGTH) };
    for (const part of await listParts(ctx, appId, ALL_DAYS)) {
      const range = { from: part.day, to: part.day };
      const times = { from: startOfDay(part.day), to: startOfDay(part.day + 1) };
      for (let skip = 0; ; skip += PAGE) {
        const question = { ask: 'allLogs', range, filter: {}, times, sender, skip, limit: PAGE } as const;
        const logs = await askParts(ctx, [part], question);
        for (const { at, ...log } of logs) yield { at: toIso(at), ...log };
        if (logs.length < PAGE) break;
      }
    }
  },
  /** Files that are still to be written anew or deleted, and requests as they came. */
  async countLeft(ctx, { appId, kind, value }) {
    const found = (await listDeletions(ctx, appId)).find((each) => each.kind === kind && each.value === value);
    return found ? found.partsLeft + found.formerParts + (found.hasBatches ? 1 : 0) : 0;
  },
};
