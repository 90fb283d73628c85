import {
  adminJobs_delete,
  adminJobs_list,
  adminJobs_replay,
  adminLive_watch,
  adminServer_get,
} from '@mooring/contract';
import { describeSettings } from '../../config.ts';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { countJobs, jobsVersion, listJobs, type QueuedJob } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { watch } from '../../kernel/concurrency/watch.ts';
import { deleteJob, replayJob } from './jobs.ts';

const toWire = ({ createdAt, dueAt, lastError, failedAt, ...job }: QueuedJob) => ({
  ...job,
  created_at: toIso(createdAt),
  due_at: dueAt === undefined ? undefined : toIso(dueAt),
  last_error: lastError,
  failed_at: failedAt === undefined ? undefined : toIso(failedAt),
});

export const administrationRoutes = [
  route(adminLive_watch, async (ctx, { query: { seconds } }, { signal, lastEventId }) =>
    watch(async () => ({ jobs: await jobsVersion(ctx) }), { signal: signal(), lastEventId, seconds }),
  ),
  route(adminJobs_list, async (ctx, { query }) => pageToWire(await listJobs(ctx, query), toWire)),
  route(adminJobs_replay, (ctx, { params }) => replayJob(ctx, params.job_id)),
  route(adminJobs_delete, (ctx, { params }) => deleteJob(ctx, params.job_id)),
  route(adminServer_get, async (ctx) => ({
    version: ctx.program.version,
    node: process.versions.node,
    started_at: toIso(ctx.program.startedAt),
    public_url: ctx.publicUrl(),
    database: ctx.db.dialect,
    jobs: (await countJobs(ctx)).counts,
    settings: describeSettings(ctx.settings, ctx.config).map(({ variable, value, isSecret, description }) => ({
      name: variable,
      value,
      is_secret: isSecret,
      description,
    })),
  })),
];
