import {
  test_archiveTestRun,
  test_createTestRun,
  test_getTestReport,
  test_getTestRun,
  test_getTestRunState,
  test_getTestRuns,
  test_startTestRun,
  test_startUploadingFile,
  test_stopTestRun,
  test_uploadHash,
  test_uploadHashesBatch,
  testRuns_getResults,
  testRuns_getStepReport,
  testRuns_import,
  testRuns_rerun,
  testRuns_sendFile,
  testRuns_watch,
} from '@mooring/contract';
import { readBytes } from '../../http/kinds/incoming-file.ts';
import { route } from '../../http/mount.ts';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { importRun } from './imports.ts';
import { readRunNow, watchRun } from './live-run.ts';
import { readReport, readStep } from './report.ts';
import { reportToWire, resultsToWire } from './report.wire.ts';
import { rerun } from './reruns.ts';
import { readState } from './run-state.ts';
import { nameFiles, offerUpload, receiveTestFile } from './test-files.ts';
import { archiveRun, createRun, getRunRow, listRuns, startRun, stopRun } from './test-runs.ts';
import { runToWire } from './test-runs.wire.ts';

export const testRunRoutes = [
  route(test_getTestRuns, async (ctx, { query }) => (await listRuns(ctx, query.before)).map((row) => runToWire(row))),
  route(test_createTestRun, async (ctx, _input, reply) => {
    const { id } = await createRun(ctx);
    const { ownerName, name } = ctx.app;
    reply.setLocation(`/v0.1/apps/${encodeURIComponent(ownerName)}/${encodeURIComponent(name)}/test_runs/${id}`);
  }),
  route(test_getTestRun, async (ctx, { params }) => {
    const { row, stats } = await readRunNow(ctx, params.test_run_id);
    return runToWire(row, stats);
  }),
  route(test_archiveTestRun, async (ctx, { params }) => runToWire(await archiveRun(ctx, params.test_run_id))),
  route(test_uploadHash, async (ctx, { params, body }) => {
    const file = { type: body.file_type, checksum: body.checksum, path: body.relative_path };
    const [isKnown] = await nameFiles(ctx, params.test_run_id, [file]);
    if (!isKnown) {
      const location = offerUpload(ctx, params.test_run_id);
      throw new Failure('PreconditionFailed', 'This file is not known; upload it.', { location });
    }
  }),
  route(test_uploadHashesBatch, async (ctx, { params, body }) => {
    const files = body.map((one) => {
      const [type, path] = [one.fileType ?? one.file_type, one.relativePath ?? one.relative_path];
      if (type === undefined || path === undefined) {
        throw badRequest('Each file needs fileType, checksum and relativePath.');
      }
      return { type, checksum: one.checksum, path };
    });
    const known = await nameFiles(ctx, params.test_run_id, files);
    return files.map(({ type, checksum, path }, at) => ({
      fileType: type,
      checksum,
      relativePath: path,
      uploadStatus: known[at]
        ? { statusCode: 201 }
        : { statusCode: 412, location: offerUpload(ctx, params.test_run_id) },
    }));
  }),
  route(test_startUploadingFile, async (ctx, { params }, reply) => {
    const { id } = await getRunRow(ctx, params.test_run_id);
    reply.setLocation(offerUpload(ctx, id));
  }),
  route(testRuns_sendFile, (ctx, { params, query, file }) =>
    receiveTestFile(ctx, { uploadId: params.upload_id.toLowerCase(), token: query.token, runId: query.run }, file),
  ),
  route(test_startTestRun, async (ctx, { params, body }) => {
    const { accepted, rejected } = await startRun(ctx, params.test_run_id, {
      framework: body.test_framework,
      selection: body.device_selection,
      locale: body.locale ?? body.language,
      series: body.test_series,
      parameters: body.test_parameters,
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
  route(testRuns_getResults, async (ctx, { params }) => resultsToWire(ctx, await readReport(ctx, params.test_run_id))),
  route(testRuns_watch, async (ctx, { params, query }, { signal }) => {
    await getRunRow(ctx, params.test_run_id);
    const heard = watchRun(ctx, params.test_run_id, { seconds: query.seconds ?? 60, signal });
    return (async function* () {
      for await (const { row, stats } of heard) yield { event: 'changed' as const, data: runToWire(row, stats) };
    })();
  }),
  route(testRuns_rerun, async (ctx, { params, body }) =>
    runToWire(await rerun(ctx, params.test_run_id, { isOnlyFailed: body.only_failed ?? true })),
  ),
  route(testRuns_import, async (ctx, { query, file }) => {
    const xml = (await readBytes(file)).toString('utf8');
    const { device, os, test_series: series, app_version: version } = query;
    return runToWire(await importRun(ctx, xml, { device, os, series, version }));
  }),
];
