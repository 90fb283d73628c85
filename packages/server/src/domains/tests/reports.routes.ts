import { test_getTestReport, testRuns_compare, testRuns_getResults, testRuns_getStepReport } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { compareRuns } from './comparing.ts';
import { readReport, readStep } from './report.ts';
import { reportToWire, resultsToWire } from './report.wire.ts';
import { runToWire } from './test-runs.wire.ts';

export const testReportRoutes = [
  route(test_getTestReport, async (ctx, { params }) => reportToWire(ctx, await readReport(ctx, params.test_run_id))),
  route(testRuns_getStepReport, async (ctx, { params }) => {
    const { id, label, pictures } = await readStep(ctx, params.test_run_id, params.step_id);
    return {
      id,
      name: label,
      deviceScreenshots: pictures.map(({ device, url }) => ({
        id: device.id,
        device_snapshot_id: device.id,
        title: device.name,
        screenshot: { urls: { original: url } },
      })),
    };
  }),
  route(testRuns_getResults, async (ctx, { params }) =>
    resultsToWire(ctx, await readReport(ctx, params.test_run_id, { hasPictures: true })),
  ),
  route(testRuns_compare, async (ctx, { params, query }) => {
    const { run, before, tests, durations } = await compareRuns(ctx, params.test_run_id, query.with);
    return {
      run: runToWire(run.row, run.stats),
      before: runToWire(before.row, before.stats),
      tests,
      durations: durations.map(({ suite, test, before, now }) => ({
        suite,
        test,
        milliseconds_before: before,
        milliseconds: now,
      })),
    };
  }),
];
