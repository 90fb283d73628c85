import { hash } from 'node:crypto';
import {
  builds_create,
  builds_distribute,
  builds_get,
  builds_getBadge,
  builds_getDownloadUri,
  builds_getLog,
  builds_getStatusByAppId,
  builds_list,
  builds_listBranches,
  builds_listByBranch,
  builds_listToolsets,
  builds_listXamarinSDKBundles,
  builds_listXcodeVersions,
  builds_retry,
  builds_update,
  builds_watchLog,
  commits_listByShaList,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { explainWaits, readWholeLog } from '../runners/index.ts';
import { getBadge } from './badges.ts';
import type { BuildRow } from './builds.store.ts';
import {
  type Build,
  cancelBuild,
  distributeBuild,
  getBuild,
  getPriority,
  listAllBuilds,
  listBranches,
  listBuilds,
  prioritizeBuild,
  queueBuild,
  retryBuild,
} from './builds.ts';
import { getServiceStatus, listSdkBundles, listVersions } from './configurations/tools.ts';
import { type DownloadType, getDownload } from './downloads.ts';
import { watchBuild } from './live-log.ts';
import { listCommits } from './repositories/repositories.ts';

const time = (at: number | null): string | undefined => (at === null ? undefined : toIso(at));

const rowToWire = (row: BuildRow) => ({
  id: row.id,
  // Existing clients print this as the ID of the build, and scripts pass it back.
  buildNumber: String(row.id),
  queueTime: toIso(row.queued_at),
  startTime: time(row.started_at),
  finishTime: time(row.finished_at),
  lastChangedDate: toIso(row.changed_at),
  status: row.status,
  result: row.result,
  reason: row.reason,
  sourceBranch: row.branch,
  sourceVersion: row.commit_sha,
  priority: getPriority(row),
  retryOf: row.retry_of ?? undefined,
  failure: row.failure ?? undefined,
});

const types: readonly DownloadType[] = ['build', 'symbols', 'mapping', 'bundle'];

const toWire = ({ row, files }: Build) => {
  const made = types.filter((type) => files.some(({ kind }) => kind === type));
  return { ...rowToWire(row), downloads: row.status === 'completed' ? [...made, 'logs' as const] : [] };
};

/** Adds the reason why queued builds are waiting. */
async function withWaits<B extends { row: BuildRow; wire: object }>(
  ctx: AppCtx,
  builds: readonly B[],
): Promise<B['wire'][]> {
  const jobs = builds.filter(({ row }) => row.status === 'notStarted').map(({ row }) => row.job_id);
  const waits = jobs.length === 0 ? new Map<string, string>() : await explainWaits(ctx, jobs);
  return builds.map(({ row, wire }) => ({ ...wire, waiting: waits.get(row.job_id) }));
}

const rowsToWire = (ctx: AppCtx, rows: readonly BuildRow[]) =>
  withWaits(
    ctx,
    rows.map((row) => ({ row, wire: rowToWire(row) })),
  );

const buildToWire = async (ctx: AppCtx, build: Build) => {
  const [wire] = await withWaits(ctx, [{ row: build.row, wire: toWire(build) }]);
  return wire ?? toWire(build);
};

const parseBuildId = ({ build_id }: { build_id: string }): number => Number(build_id);

const named = (versions: readonly string[]) => versions.map((name, at) => ({ name, current: at === 0 }));

const listBundles = async (ctx: AppCtx) =>
  (await listSdkBundles(ctx)).map((bundle, at) => ({ ...bundle, current: at === 0 }));

/** Clients count lines and never reread one, so an incomplete last line is withheld. */
async function listLogLines(ctx: AppCtx, id: number): Promise<string[]> {
  const { row } = await getBuild(ctx, id);
  const lines = (await readWholeLog(ctx, row.job_id)).split('\n');
  const last = lines.pop();
  return last && row.status === 'completed' ? [...lines, last] : lines;
}

export const buildRoutes = [
  route(builds_listBranches, async (ctx) =>
    (await listBranches(ctx)).map(({ name, sha, url, isConfigured, lastBuild }) => ({
      branch: { name, commit: { sha, url } },
      configured: isConfigured,
      enabled: isConfigured,
      lastBuild: lastBuild && rowToWire(lastBuild),
    })),
  ),
  route(builds_listByBranch, async (ctx, { params }) => rowsToWire(ctx, await listBuilds(ctx, params.branch))),
  route(builds_create, async (ctx, { params, body }) =>
    buildToWire(
      ctx,
      await queueBuild(ctx, {
        branch: params.branch,
        sha: body?.sourceVersion,
        isDebug: body?.debug ?? false,
        priority: body?.priority,
        variables: body?.environmentVariables,
      }),
    ),
  ),
  route(builds_list, async (ctx, { query }) => {
    const { values, nextCursor } = await listAllBuilds(ctx, query);
    return { values: await rowsToWire(ctx, values), next_cursor: nextCursor };
  }),
  route(builds_get, async (ctx, { params }) => buildToWire(ctx, await getBuild(ctx, parseBuildId(params)))),
  route(builds_update, async (ctx, { params, body }) => {
    const id = parseBuildId(params);
    const prioritized = body.priority && (await prioritizeBuild(ctx, id, body.priority));
    return buildToWire(
      ctx,
      body.status === 'cancelling' ? await cancelBuild(ctx, id) : (prioritized ?? (await getBuild(ctx, id))),
    );
  }),
  route(builds_retry, async (ctx, { params }) => buildToWire(ctx, await retryBuild(ctx, parseBuildId(params)))),
  route(builds_distribute, async (ctx, { params, body }) => ({
    status: 'queued',
    upload_id: await distributeBuild(ctx, parseBuildId(params), {
      destinations: body.destinations ?? [],
      notes: body.releaseNotes,
      isMandatory: body.mandatoryUpdate ?? false,
      notifyTesters: body.notifyTesters ?? true,
    }),
  })),
  route(builds_getDownloadUri, async (ctx, { params }) => ({
    uri: await getDownload(ctx, parseBuildId(params), params.download_type),
  })),
  route(builds_getBadge, async (ctx, { params }) => {
    const text = await getBadge(ctx, params.app_id, params.branch);
    return { text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` };
  }),
  route(builds_getLog, async (ctx, { params }) => ({ value: await listLogLines(ctx, parseBuildId(params)) })),
  route(builds_watchLog, async (ctx, { params, query }, { signal, lastEventId }) => {
    const from = Number.parseInt(lastEventId ?? '0', 10) || 0;
    const id = parseBuildId(params);
    await getBuild(ctx, id);
    const heard = watchBuild(ctx, id, { from, seconds: query.seconds ?? 60, signal: signal() });
    return (async function* () {
      for await (const one of heard) {
        if ('log' in one) yield { event: 'log' as const, id: String(one.next), data: { text: one.log } };
        else yield { event: 'build' as const, id: String(one.next), data: await buildToWire(ctx, one.build) };
      }
    })();
  }),
  route(commits_listByShaList, async (ctx, { query }) =>
    (await listCommits(ctx, query.hashes)).map(({ sha, url, message, author }) => ({
      sha,
      url,
      commit: { message, author },
    })),
  ),
  route(builds_listToolsets, async (ctx, { query: { tools } }) => ({
    ...(!tools || tools === 'xamarin' ? { xamarin: await listBundles(ctx) } : {}),
    ...(!tools || tools === 'xcode' ? { xcode: named(await listVersions(ctx, 'xcode')) } : {}),
    ...(!tools || tools === 'node' ? { node: named(await listVersions(ctx, 'node')) } : {}),
  })),
  route(builds_listXamarinSDKBundles, listBundles),
  route(builds_listXcodeVersions, async (ctx) => named(await listVersions(ctx, 'xcode'))),
  route(builds_getStatusByAppId, async (ctx) => {
    const { isAvailable, message, os } = await getServiceStatus(ctx);
    return { status: isAvailable ? 'available' : 'unavailable', service: 'build', message, os };
  }),
];
