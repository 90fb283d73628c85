import type { AppCtx, Ctx } from '../../../../context.ts';
import { tx } from '../../../../db/tx.ts';
import { DAY } from '../../../../kernel/clock.ts';
import type { Run } from './reprocess-job.ts';
import {
  advanceReprocessing,
  deleteReprocessing,
  deleteReprocessingsBefore,
  endReprocessing,
  insertReprocessing,
  listReprocessingRows,
} from './reprocessings.store.ts';

const VISIBLE_REPROCESSINGS = 20;
const RETENTION_MS = DAY;

export interface Progress {
  /** Adds to the number of processed reports. */
  add(count: number): Promise<void>;
  end(): Promise<void>;
}

const untold: Progress = { add: async () => undefined, end: async () => undefined };

/** Tracks the progress of a run. A run that restarts after its process was killed starts at zero. */
export async function beginProgress(ctx: Ctx, appId: string, run: Run | undefined, total: number): Promise<Progress> {
  if (!run || total === 0) return untold;
  const { id, reason } = run;
  const now = ctx.clock.now();
  await tx(ctx, async ({ db }) => {
    await deleteReprocessing.run(db, { appId, id });
    const times = { started_at: now, updated_at: now, ended_at: null };
    await insertReprocessing.run(db, { app_id: appId, id, reason, total, done: 0, ...times });
  });
  return {
    add: async (count) =>
      void (await tx(ctx, ({ db }) => advanceReprocessing.run(db, { appId, id, count, now: ctx.clock.now() }))),
    end: async () => void (await tx(ctx, ({ db }) => endReprocessing.run(db, { appId, id, now: ctx.clock.now() }))),
  };
}

/** Current runs, and those of the last day. */
export const listReprocessings = ({ db, app }: AppCtx) =>
  listReprocessingRows.all(db, { appId: app.id, limit: VISIBLE_REPROCESSINGS });

export const sweepReprocessings = (ctx: Ctx): Promise<number> =>
  tx(ctx, ({ db }) => deleteReprocessingsBefore.run(db, { before: ctx.clock.now() - RETENTION_MS }));
