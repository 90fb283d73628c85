import {
  RUNNER_LEASE_SECONDS,
  RUNNER_WAIT_SECONDS,
  runnerJobs_beat,
  runnerJobs_events,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_source,
  runnerJobs_take,
  runners_declare,
} from '@mooring/contract';
import { type Deps, workOwner } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { inflate } from '../../../kernel/files/inflate.ts';
import { declareRunner, noteRunner } from '../runners.ts';
import { createJobBell } from './job-bell.ts';
import { writeEvents } from './job-events.ts';
import { receiveFile } from './job-files.ts';
import { writeLog } from './job-logs.ts';
import { findSource } from './job-sources.ts';
import { beatJob, finishJob, takeJob } from './runner-jobs.ts';

const lease_seconds = RUNNER_LEASE_SECONDS;

export const runnerJobRoutes = (deps: Deps) => {
  const bell = createJobBell(deps);
  return [
    route(runners_declare, async (ctx, { body }) => {
      const spoken = await declareRunner(ctx, body);
      const { id, name } = ctx.runner;
      return { id, name, lease_seconds, wait_seconds: RUNNER_WAIT_SECONDS, ...spoken };
    }),
    route(runnerJobs_take, async (ctx, { query: { wait = RUNNER_WAIT_SECONDS } }, { signal }) => {
      await noteRunner(ctx, ctx.runner.id);
      const until = performance.now() + wait * SECOND;
      const gone = signal();
      // A job that is claimed for a disconnected runner would be unavailable until its lease ends.
      while (!gone.aborted) {
        const job = await takeJob(ctx);
        if (job)
          return {
            id: job.id,
            kind: job.kind,
            token: job.token,
            lease_seconds,
            log_offset: job.logOffset,
            work: job.work,
          };
        const left = until - performance.now();
        if (left <= 0) return undefined;
        await bell(left, gone);
      }
      return undefined;
    }),
    route(runnerJobs_beat, async (ctx) => ({ cancel: (await beatJob(ctx)).isCancelled, lease_seconds })),
    route(runnerJobs_log, async (ctx, { query, sent }) => {
      const { size, isFull } = await writeLog(ctx, query.offset, await inflate(sent, workOwner(ctx, ctx.job.appId)));
      return { size, is_full: isFull };
    }),
    route(runnerJobs_file, (ctx, { params, query, headers, file }) =>
      receiveFile(ctx, {
        id: params.upload_id.toLowerCase(),
        name: query.name,
        kind: query.kind,
        contentRange: headers['content-range'],
        file,
      }),
    ),
    route(runnerJobs_source, async (ctx, { params }) => findSource(ctx.job, params.file_id)),
    route(runnerJobs_events, async (ctx, { body }) => ({ count: await writeEvents(ctx, body.from, body.events) })),
    route(runnerJobs_finish, (ctx, { body: { is_device_broken: isDeviceBroken, ...ending } }) =>
      finishJob(ctx, { ...ending, isDeviceBroken }),
    ),
  ];
};
