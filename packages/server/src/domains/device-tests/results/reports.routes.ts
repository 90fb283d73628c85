import { test_getTestReport, testRuns_compare, testRuns_getResults, testRuns_getStepReport } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { runToWire } from '../runs/test-runs.wire.ts';
import { compareRuns } from './comparing.ts';
import { readReport, readStep } from './report.ts';
import { writeReport, writeResults } from './report.wire.ts';
import { writeWith } from './results-reading.ts';

export const testReportRoutes = [
  route(test_getTestReport, async (ctx, { params }) => writeReport(ctx, await readReport(ctx, params.test_run_id))),
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
    writeResults(ctx, await readReport(ctx, params.test_run_id, { hasPictures: true })),
  ),
  route(testRuns_compare, async (ctx, { params, query }) => {
    const { run, before, text, durations } = await compareRuns(ctx, params.test_run_id, query.with);
    const fields = {
      run: runToWire(run.row, run.stats),
      before: runToWire(before.row, before.stats),
      durations: durations.map(({ suite, test, before, now }) => ({
        suite,
        test,
        milliseconds_before: before,
        milliseconds: now,
      })),
    };
    return writeWith(fields, 'tests', text);
  }),
];
