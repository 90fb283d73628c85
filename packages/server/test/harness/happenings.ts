import { randomUUID } from 'node:crypto';
import { systemCtx } from '../../src/context.ts';
import { compactApp, tidyParts } from '../../src/domains/analytics/parts/compaction.ts';
import { processApp } from '../../src/domains/crashes/reports/processing.ts';
import { runExports } from '../../src/domains/exports/writing.ts';
import { sweepBatches } from '../../src/domains/ingest/batches/batches.ts';
import { addLogs } from '../../src/domains/ingest/index.ts';
import { tellExpiring } from '../../src/domains/tokens/expiring.ts';
import type { TestApp } from './app.ts';

/** Crashes and errors among what came are reports. */
export const readReports = (app: TestApp, appId: string): Promise<unknown> => processApp(systemCtx(app.deps), appId);

/** Days that are long over take no more from devices. */
export const sealDays = (app: TestApp): Promise<void> => tidyParts(systemCtx(app.deps));

/** What a device sent is there as if its jobs had been run. */
export async function sendLogs(app: TestApp, appId: string, logs: object[], installId: string = randomUUID()) {
  await addLogs(app.deps, { appId, installId, logs });
  await readReports(app, appId);
}

/** What came is in what counts telemetry. */
export const compact = (app: TestApp, appId: string): Promise<unknown> => compactApp(systemCtx(app.deps), appId);

/** What schedules do about logs: counts them, and deletes what nobody needs any more. */
export async function tidyLogs(app: TestApp, appId: string): Promise<void> {
  await compact(app, appId);
  await sweepBatches(systemCtx(app.deps));
  await sealDays(app);
}

/** As a schedule does every day. */
export const tellOfTokens = (app: TestApp): Promise<void> => tellExpiring(systemCtx(app.deps));

/** Writes what is due of exports, as a schedule does it. */
export async function writeExports(app: TestApp): Promise<void> {
  await runExports(systemCtx(app.deps));
  await app.runJobs();
}
