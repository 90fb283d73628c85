import {
  test_archiveTestRun,
  test_createTestRun,
  test_getTestRun,
  test_getTestRunState,
  test_getTestRuns,
  test_startTestRun,
  test_stopTestRun,
  testRuns_import,
  testRuns_rerun,
  testRuns_watch,
} from '@mooring/contract';
import { readBytes } from '../../../http/kinds/incoming-file.ts';
import { route } from '../../../http/mount.ts';
import { importRun } from './imports.ts';
import { readRunNow, watchRun } from './live-run.ts';
import { rerun } from './reruns.ts';
import { readState } from './run-state.ts';
import { archiveRun, createRun, getRunRow, listRuns, startRun, stopRun } from './test-runs.ts';
import { runsToWire, runToWire, testedBy } from './test-runs.wire.ts';

export const testRunRoutes = [
  route(test_getTestRuns, async (ctx, { query }) => {
    const { before, release_id: releaseId, build_id: buildId } = query;
    return runsToWire(ctx, await listRuns(ctx, { before, releaseId, buildId }));
  }),
  route(test_createTestRun, async (ctx, _input, reply) => {
    const { id } = await createRun(ctx);
    const { ownerName, name } = ctx.app;
    reply.setLocation(`/v0.1/apps/${encodeURIComponent(ownerName)}/${encodeURIComponent(name)}/test_runs/${id}`);
  }),
  route(test_getTestRun, async (ctx, { params }) => {
    const { row, stats, waiting } = await readRunNow(ctx, params.test_run_id);
    return runToWire(row, stats, (await testedBy(ctx, [row])).get(row.id), waiting);
  }),
  route(test_archiveTestRun, async (ctx, { params }) => runToWire(await archiveRun(ctx, params.test_run_id))),
  route(test_startTestRun, async (ctx, { params, body }) => {
    const { accepted, rejected } = await startRun(ctx, params.test_run_id, {
      framework: body.test_framework,
      selection: body.device_selection,
      locale: body.locale ?? body.language,
      series: body.test_series,
      parameters: body.test_parameters,
      tested: { releaseId: body.release_id, buildId: body.build_id },
    });
    return {
      accepted_devices: accepted.map(({ name }) => name),
      rejected_devices: rejected.map(({ name }) => name),
    };
  }),
  route(test_getTestRunState, async (ctx, { params }) => {
    const { message, waitTime, exitCode } = await readState(ctx, params.test_run_id);
    return { message, wait_time: waitTime, exit_code: exitCode };
  }),
  route(test_stopTestRun, async (ctx, { params }) => runToWire(await stopRun(ctx, params.test_run_id))),
  route(testRuns_watch, async (ctx, { params, query }, { signal }) => {
    await getRunRow(ctx, params.test_run_id);
    const heard = watchRun(ctx, params.test_run_id, { seconds: query.seconds ?? 60, signal: signal() });
    return (async function* () {
      for await (const { row, stats, waiting } of heard)
        yield { event: 'changed' as const, data: runToWire(row, stats, {}, waiting) };
    })();
  }),
  route(testRuns_rerun, async (ctx, { params, body }) =>
    runToWire(await rerun(ctx, params.test_run_id, { isOnlyFailed: body.only_failed ?? true })),
  ),
  route(testRuns_import, async (ctx, { query, file }) => {
    const xml = (await readBytes(file)).toString('utf8');
    const { device, os, test_series: series, app_version: version } = query;
    const tested = { releaseId: query.release_id, buildId: query.build_id };
    return runToWire(await importRun(ctx, xml, { device, os, series, version, tested }));
  }),
];
