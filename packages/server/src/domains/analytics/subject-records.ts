import type { SubjectRecords } from '../../extensions/subject-records.ts';
import { toIso } from '../../kernel/clock.ts';
import { cutText } from '../../kernel/text/cut-text.ts';
import { getDayStart } from '../../telemetry/index.ts';
import { listDeletions, USER_LENGTH } from './deletion/erasures.ts';
import { compactApp } from './parts/compaction.ts';
import { listParts } from './parts/parts.ts';
import { queryParts } from './parts/reading.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };
const PAGE = 5000;

/** Telemetry of an install or a user, day by day. */
export const subjectTelemetry: SubjectRecords = {
  name: 'telemetry',
  async *read(ctx, { appId, kind, value }) {
    // Waiting batches contain telemetry too.
    await compactApp(ctx, appId);
    const subject = { kind, value: cutText(value, USER_LENGTH) };
    for (const part of await listParts(ctx, appId, ALL_DAYS)) {
      const range = { from: part.day, to: part.day };
      const times = { from: getDayStart(part.day), to: getDayStart(part.day + 1) };
      for (let skip = 0; ; skip += PAGE) {
        const telemetryQuery = { kind: 'allLogs', range, filter: {}, times, subject, skip, limit: PAGE } as const;
        const logs = await queryParts(ctx, [part], telemetryQuery);
        for (const { at, ...log } of logs) yield { at: toIso(at), ...log };
        if (logs.length < PAGE) break;
      }
    }
  },
  /** Counts files that must still be rewritten or deleted, and stored batches. */
  async countLeft(ctx, { appId, kind, value }) {
    const found = (await listDeletions(ctx, appId)).find((each) => each.kind === kind && each.value === value);
    return found ? found.partsLeft + found.previousParts + (found.hasBatches ? 1 : 0) : 0;
  },
};
