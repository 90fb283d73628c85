import { type Client, runnerJobs_events } from '@mooring/contract';
import { listBuildSecrets, parseBuildWork, runBuild } from '../builds/build-job.ts';
import { listTestSecrets, parseTestWork, runTests } from '../device-tests/test-job.ts';
import { findCommands, listHandoverSecrets, parseHandover, runHandover } from '../handovers/handover-job.ts';
import type { Limits } from '../sandbox/limits.ts';
import { downloadSource, uploadBytes, uploadFile } from '../server/job-files.ts';
import { createMask } from '../server/masking.ts';
import type { Job, JobOptions, PreparedJob } from './job.ts';
import { getCacheStore, getJobsFolder } from './job-folders.ts';

const MIB = 1_048_576;
const UPLOAD_TIMEOUT_MS = 120_000;

/** Running jobs must leave a quarter of the reserved disk space free. */
const toLimits = ({ folder, memoryMb, processes, reserveMb }: JobOptions, kind: Limits['kind'] = 'stage'): Limits => ({
  kind,
  memoryBytes: memoryMb * MIB,
  processes,
  disk: { folder, leaveBytes: (reserveMb * MIB) / 4 },
});

function prepareBuild(call: Client, job: Job, options: JobOptions): PreparedJob {
  const { folder, sandbox, image, hidden } = options;
  const work = parseBuildWork(job.work);
  return {
    title: `Build ${work.build.id} of ${work.app.owner}/${work.app.name}, branch ${work.build.branch}`,
    secrets: listBuildSecrets(work),
    run: ({ signal, write }) =>
      runBuild(work, {
        folder: getJobsFolder(folder),
        sandbox,
        image,
        hidden,
        limits: toLimits(options),
        caches: getCacheStore(options),
        signal,
        write,
        upload: ({ name, kind, file }) => uploadFile(call, job, { name, kind, file }, signal),
      }),
  };
}

function prepareTest(call: Client, job: Job, options: JobOptions): PreparedJob {
  const { folder, sandbox, image, hidden, state } = options;
  const work = parseTestWork(job.work);
  const secrets = listTestSecrets(work);
  const input = { params: { job_id: job.id }, headers: { 'x-job-token': job.token } };
  return {
    title: `Tests ${work.run.id} of ${work.app.owner}/${work.app.name} on ${work.device.name}`,
    secrets,
    run: ({ signal, write, onLost }) =>
      runTests(work, {
        folder: getJobsFolder(folder),
        sandbox,
        image,
        hidden,
        limits: toLimits(options, 'suite'),
        signal,
        write,
        onLost,
        mask: createMask(secrets),
        fetch: (id) => downloadSource(state.server, job, id, signal),
        send: async (from, events) => (await call(runnerJobs_events, { ...input, body: { from, events } })).count,
        async upload(file) {
          try {
            // Independent of the signal of the job: files of a stopped run are useful as well.
            await uploadBytes(call, job, file, AbortSignal.timeout(UPLOAD_TIMEOUT_MS));
            return true;
          } catch (error) {
            write(`## Can't upload ${file.name}: ${(error as Error).message}\n`);
            return false;
          }
        },
      }),
  };
}

function prepareHandover(call: Client, job: Job, options: JobOptions): PreparedJob {
  const { folder, state } = options;
  const work = parseHandover(job.work);
  const { app, release } = work.facts;
  return {
    title: `${work.what}: release ${release.id} of ${app.owner}/${app.name}`,
    secrets: listHandoverSecrets(work),
    run: ({ signal, write }) =>
      runHandover(work, {
        folder: getJobsFolder(folder),
        command: findCommands(process.env).get(work.what),
        limits: toLimits(options),
        signal,
        write,
        fetch: (id) => downloadSource(state.server, job, id, signal),
        upload: ({ name, file }) => uploadFile(call, job, { name, kind: 'build', file }, signal),
      }),
  };
}

const prepareByKind = { build: prepareBuild, test: prepareTest, handover: prepareHandover };

/** Parses a job. Throws if this runner doesn't support it. */
export const prepareJob = (call: Client, job: Job, options: JobOptions): PreparedJob =>
  prepareByKind[job.kind](call, job, options);
