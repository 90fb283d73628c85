import { hash } from 'node:crypto';
import { type JunitCase, readJunitXml, XmlBroken } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest } from '../../kernel/errors.ts';
import { appSubject, getApp } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { beginPackageTest, type JobEvent } from '../runners/index.ts';
import type { KnownDevice } from './devices.ts';
import { finishRun } from './run-ending.ts';
import { insertRun, insertRunDevice, type RunRow } from './test-runs.store.ts';
import { emptyRun } from './test-runs.ts';
import { noteSeries } from './test-series.ts';

export interface ImportedFrom {
  device?: string | undefined;
  os?: string | undefined;
  series?: string | undefined;
  version?: string | undefined;
  tested?: { releaseId?: number | undefined; buildId?: number | undefined } | undefined;
}

const MOST_TESTS = 50_000;
const NAME = 1000;
const MESSAGE = 4096;
const STACK = 65_536;

function casesIn(xml: string): JunitCase[] {
  try {
    return readJunitXml(xml);
  } catch (error) {
    throw error instanceof XmlBroken ? badRequest(`This is no JUnit XML: ${error.message}.`) : error;
  }
}

function readEvents(xml: string, now: number): JobEvent[] {
  const cases = casesIn(xml);
  if (cases.length === 0) throw badRequest('This is no JUnit XML with a test in it: a <testsuite> with a <testcase>.');
  if (cases.length > MOST_TESTS) throw badRequest(`At most ${MOST_TESTS} tests are imported at once.`);
  return cases.map(({ suite, test, status, milliseconds, message, stack }) => ({
    type: 'test-ended',
    at: now,
    suite: suite.slice(0, NAME),
    test: test.slice(0, NAME),
    status,
    milliseconds,
    ...(message === undefined ? {} : { message: message.slice(0, MESSAGE) }),
    ...(stack === undefined ? {} : { stack: stack.slice(0, STACK) }),
  }));
}

/** Keeps what a suite has shown elsewhere as a run that has finished. */
export async function importRun(
  ctx: AppCtx,
  xml: string,
  { device, os, series, version, tested = {} }: ImportedFrom,
): Promise<RunRow> {
  const now = ctx.clock.now();
  const events = readEvents(xml, now);
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
      events: JSON.stringify(events),
      outcomes: null,
      started_at: null,
      finished_at: now,
    });
    await beginPackageTest(ctx, ctx.app.id, row.id, tested);
    await record(ctx, 'test_run.import', appSubject(ctx.app), { after: { test_run: row.id, tests: events.length } });
    return finishRun(ctx, row);
  });
}
