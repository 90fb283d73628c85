import { hash } from 'node:crypto';
import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { appSubject, getApp } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { beginPackageTest } from '../../packages/index.ts';
import type { KnownDevice } from '../devices/devices.ts';
import { workOnResults } from '../results/results-reading.ts';
import { noteSeries } from '../series/test-series.ts';
import { finishRun } from './run-ending.ts';
import { insertRun, insertRunDevice, type RunRow } from './test-runs.store.ts';
import { emptyRun } from './test-runs.ts';

export interface ImportedFrom {
  device?: string | undefined;
  os?: string | undefined;
  series?: string | undefined;
  version?: string | undefined;
  tested?: { releaseId?: number | undefined; buildId?: number | undefined } | undefined;
}

/** Stores results from elsewhere as a finished run. */
export async function importRun(
  ctx: AppCtx,
  xml: string,
  { device, os, series, version, tested = {} }: ImportedFrom,
): Promise<RunRow> {
  const now = ctx.clock.now();
  const { count, events } = await workOnResults(ctx, 'readImport', { xml, at: now });
  const { os: system } = await getApp(ctx);
  const name = device ?? 'Elsewhere';
  const platform = system === 'iOS' ? 'ios' : 'android';
  const sum = hash('sha256', `${name}\n${os ?? ''}`, 'hex');
  const known: KnownDevice = {
    id: `${sum.slice(0, 8)}-${sum.slice(8, 12)}-8${sum.slice(13, 16)}-8${sum.slice(17, 20)}-${sum.slice(20, 32)}`,
    name: os === undefined ? name : `${name} (${os})`,
    manufacturer: '',
    model: name,
    platform,
    os: os ?? '',
    formFactor: 'phone',
    isEmulated: false,
  };
  const counted = await workOnResults(ctx, 'count', {
    devices: [{ position: 0, id: known.id, isDone: true, events: [events] }],
  });
  return tx(ctx, async (ctx) => {
    const row: RunRow = {
      ...emptyRun(ctx, ctx.app.id),
      source: 'import',
      framework: 'junit',
      platform,
      app_version: version ?? null,
      series: series?.trim() ? await noteSeries(ctx, series.trim()) : null,
      started_at: now,
    };
    await insertRun.run(ctx.db, row);
    await insertRunDevice.run(ctx.db, {
      run_id: row.id,
      position: 0,
      device: JSON.stringify(known),
      job_id: null,
      state: 'finished',
      failure: null,
      events,
      outcomes: null,
      started_at: null,
      finished_at: now,
    });
    await beginPackageTest(ctx, ctx.app.id, row.id, tested);
    await record(ctx, 'test_run.import', appSubject(ctx.app), { after: { test_run: row.id, tests: count } });
    return finishRun(ctx, row, counted);
  });
}
