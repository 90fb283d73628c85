import { randomUUID } from 'node:crypto';
import { systemCtx } from '../../src/context.ts';
import { compactApp, tidyParts } from '../../src/domains/analytics/parts/compaction.ts';
import { processApp } from '../../src/domains/crashes/reports/processing/processing.ts';
import { runExports } from '../../src/domains/exports/writing.ts';
import { readNewFeedback } from '../../src/domains/feedback/sentry-feedback.ts';
import { sweepBatches } from '../../src/domains/ingest/batches/batches.ts';
import { addLogs } from '../../src/domains/ingest/index.ts';
import { notifyExpiring } from '../../src/domains/tokens/expiring.ts';
import type { TestApp } from './app.ts';

/** Turns received crashes and errors into reports. */
export const readReports = (app: TestApp, appId: string): Promise<unknown> => processApp(systemCtx(app.deps), appId);

/** Finalizes days in the past, which accept no more logs. */
export const sealDays = (app: TestApp): Promise<void> => tidyParts(systemCtx(app.deps));

/** Processes received logs, as jobs would. */
export async function sendLogs(app: TestApp, appId: string, logs: object[], installId: string = randomUUID()) {
  await addLogs(app.deps, { appId, installId, logs });
  await readReports(app, appId);
}

/** Loads received logs into telemetry. */
export const compact = (app: TestApp, appId: string): Promise<unknown> => compactApp(systemCtx(app.deps), appId);

/** Runs the schedules for logs: feedback, counting, and deletion of unused logs. */
export async function tidyLogs(app: TestApp, appId: string): Promise<void> {
  await readNewFeedback(systemCtx(app.deps), appId);
  await compact(app, appId);
  await sweepBatches(systemCtx(app.deps));
  await sealDays(app);
}

/** Runs the daily schedule. */
export const notifyExpiringTokens = (app: TestApp): Promise<void> => notifyExpiring(systemCtx(app.deps));

/** Writes due exports, as a schedule would. */
export async function writeExports(app: TestApp): Promise<void> {
  await runExports(systemCtx(app.deps));
  await app.runJobs();
}
