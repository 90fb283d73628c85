import { buildPriorities } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { badRequest, conflict, notFound, tooManyRequests } from '../../kernel/errors.ts';
import { decodeCursor, type Page, readPage } from '../../kernel/paging.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { appSubject, getApp } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  cancelJob,
  deleteJob,
  type JobFile,
  listJobFiles,
  mappingMade,
  packageMade,
  prioritizeJob,
  queueJob,
} from '../runners/index.ts';
import { adoptSymbols } from '../symbols/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
import { deleteBranches, takeNumber } from './branch-configurations.store.ts';
import { dropConfiguration, findConfiguration, listConfigured } from './branch-configurations.ts';
import { isPattern, matchesPattern } from './branch-patterns.ts';
import { findVariables } from './build-settings.ts';
import { buildWork, needsOf } from './build-work.ts';
import {
  type BuildFilter,
  type BuildRow,
  clearVariables,
  countOpenBuilds,
  deleteBuildsOfApp,
  deleteBuildsOfBranch,
  findBuild,
  findBuildOfJob,
  findPushBuild,
  insertBuild,
  listBuildsOfBranch,
  listJobsOfApp,
  listJobsOfBranch,
  listLastBuilds,
  listOldJobs,
  pageBuilds,
  saveBuild,
  savePriority,
} from './builds.store.ts';
import { checkVariables, type Variable } from './environment-variables.ts';
import { GitError } from './git.ts';
import { deleteCommits, deleteRepository, findRepository } from './repositories.store.ts';
import { findHeads, getConnected, refusalOf } from './repositories.ts';
import { commitUrl } from './repository-urls.ts';
import { deleteWaitingOf } from './waiting-pushes.store.ts';

export interface Build {
  row: BuildRow;
  files: JobFile[];
}

const MOST_LISTED = 1000;
/** Of the column. */
const LARGEST_ID = 2_147_483_647;

const toBuild = async (ctx: Pick<Ctx, 'db'>, row: BuildRow): Promise<Build> => ({
  row,
  files: row.status === 'completed' ? await listJobFiles(ctx, row.job_id) : [],
});

const getRow = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>, id: number): Promise<BuildRow> => {
  const row = await findBuild.first(db, { appId: app.id, id });
  if (!row) throw notFound('build', String(id));
  return row;
};

export const getBuild = async (ctx: AppCtx, id: number): Promise<Build> => toBuild(ctx, await getRow(ctx, id));

export const listBuilds = async ({ db, app }: AppCtx, branch: string): Promise<BuildRow[]> =>
  listBuildsOfBranch.all(db, { appId: app.id, branch, limit: MOST_LISTED });

export interface BuildQuery extends BuildFilter {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export async function listAllBuilds(
  { db, app }: AppCtx,
  { limit = 50, cursor, ...filter }: BuildQuery,
): Promise<Page<BuildRow>> {
  const before = cursor === undefined ? undefined : Math.min(Number(decodeCursor(cursor, ['number'])[0]), LARGEST_ID);
  const read = (rows: number) => pageBuilds(db, { appId: app.id, filter, before, limit: rows });
  return readPage(
    limit,
    read,
    ({ id }) => [id],
    (row) => row,
  );
}

export interface Branch {
  name: string;
  sha: string;
  url: string;
  isConfigured: boolean;
  lastBuild: BuildRow | undefined;
}

/** Those of the repository, and those that are configured or were built: while it cannot be reached, these alone. */
export async function listBranches(ctx: AppCtx): Promise<Branch[]> {
  const repository = await findRepository.first(ctx.db, { appId: ctx.app.id });
  if (!repository) return [];
  const heads = await findHeads(ctx);
  const { branches, patterns } = await listConfigured(ctx);
  const configured = new Set(branches);
  const builds = new Map((await listLastBuilds.all(ctx.db, { appId: ctx.app.id })).map((row) => [row.branch, row]));
  const shas = new Map(heads instanceof GitError ? [] : heads.map(({ branch, sha }) => [branch, sha]));
  const isConfigured = (name: string) =>
    configured.has(name) || patterns.some((pattern) => matchesPattern(pattern, name));
  return [...new Set([...shas.keys(), ...configured, ...builds.keys()])].sort().map((name) => {
    const lastBuild = builds.get(name);
    const sha = shas.get(name) ?? lastBuild?.commit_sha ?? '';
    const url = sha === '' ? '' : commitUrl(repository.type, repository.url, sha);
    return { name, sha, url, isConfigured: isConfigured(name), lastBuild };
  });
}

/** An app, whoever asks. */
export type AppWork = Ctx & Pick<AppCtx, 'app'>;

/** The newest commit of a branch. */
async function headOf(ctx: AppWork, branch: string): Promise<string> {
  const heads = await findHeads(ctx);
  if (heads instanceof GitError) throw refusalOf(heads);
  const head = heads.find((one) => one.branch === branch);
  if (!head) throw notFound('branch', branch);
  return head.sha;
}

export interface NewBuild {
  branch: string;
  sha?: string | undefined;
  isDebug?: boolean;
  reason?: BuildRow['reason'];
  priority?: BuildPriority | undefined;
  /** For this build alone. */
  variables?: Variable[] | undefined;
  retryOf?: number;
}

export type BuildPriority = (typeof buildPriorities)[number];
const NORMAL = buildPriorities.indexOf('normal');
const toRank = (priority: BuildPriority): number => buildPriorities.indexOf(priority) - NORMAL;
export const priorityOf = ({ priority }: Pick<BuildRow, 'priority'>): BuildPriority =>
  buildPriorities[priority + NORMAL] ?? 'normal';

const PURPOSE = 'build-variables';

export async function queueBuild(
  ctx: AppWork,
  { branch, sha, isDebug = false, reason = 'manual', priority = 'normal', variables = [], retryOf }: NewBuild,
): Promise<Build> {
  const appId = ctx.app.id;
  if (isPattern(branch)) throw badRequest(`${branch} is a pattern; name a branch that it matches.`);
  checkVariables(variables);
  const configuration = await findConfiguration(ctx, appId, branch);
  if (!configuration) throw badRequest(`The branch ${branch} is not configured for building; configure it first.`);
  await refuseOverQuota(ctx, 'build_minutes');
  // What it makes could not be kept.
  await refuseOverQuota(ctx, 'storage_bytes');
  const ofApp = await findVariables(ctx, appId);
  const { row: repository, remote } = await getConnected(ctx, appId);
  const commit = (sha ?? (await headOf(ctx, branch))).toLowerCase();
  const { os, platform } = await getApp({ ...ctx, permission: 'viewer' });
  return tx(ctx, async (ctx) => {
    // Whoever has a number holds the row until its build is there, so that none is missing among those that are counted.
    const number = await takeNumber.first(ctx.db, { app_id: appId, name: 'build', last_id: 1 });
    const id = number?.last_id ?? 1;
    if (reason === 'push' && (await findPushBuild.first(ctx.db, { appId, branch, sha: commit }))) {
      throw conflict(`Build of ${commit} for a push was queued already.`);
    }
    const open = Number((await countOpenBuilds.first(ctx.db, { appId }))?.count ?? 0);
    if (open >= ctx.config.buildQueue) {
      throw tooManyRequests(
        `There are ${open} builds of this app that wait or run; cancel some, or wait for them.`,
        60,
      );
    }
    const now = ctx.clock.now();
    const work = buildWork({
      app: { owner: ctx.app.ownerName, name: ctx.app.name, os, platform },
      build: {
        id,
        branch,
        configuration: configuration.name,
        commit,
        trigger: reason === 'push' ? 'continuous' : 'manual',
        isDebug,
      },
      remote,
      settings: configuration.settings,
      ofApp,
      ofBuild: variables,
      minutes: ctx.config.buildMinutes,
      now,
    });
    const row: BuildRow = {
      app_id: appId,
      id,
      branch,
      commit_sha: commit,
      reason,
      status: 'notStarted',
      result: 'none',
      failure: null,
      found: null,
      priority: toRank(priority),
      retry_of: retryOf ?? null,
      variables: variables.length === 0 ? null : seal(ctx.secretKey, PURPOSE, JSON.stringify(variables)),
      job_id: await queueJob(ctx, {
        appId,
        kind: 'build',
        needs: needsOf(work),
        priority: toRank(priority),
        work,
      }),
      queued_at: now,
      started_at: null,
      finished_at: null,
      changed_at: now,
    };
    await insertBuild.run(ctx.db, row);
    await record(ctx, 'build.create', appSubject(ctx.app), {
      after: { build: id, branch, commit, repository: repository.url, reason, ...(retryOf ? { retryOf } : {}) },
    });
    return { row, files: [] };
  });
}

/** The same commit with the same variables, as its branch is configured now. */
export async function retryBuild(ctx: AppCtx, id: number): Promise<Build> {
  const row = await getRow(ctx, id);
  if (row.status !== 'completed') throw conflict('This build has not ended yet; cancel it first, or wait for it.');
  const text = row.variables === null ? '[]' : open(ctx.secretKey, PURPOSE, row.variables);
  if (text === undefined) {
    throw badRequest('Variables of this build were sealed with another MOORING_SECRET_KEY; queue a new one.');
  }
  const variables = JSON.parse(text) as Variable[];
  return queueBuild(ctx, {
    branch: row.branch,
    sha: row.commit_sha,
    priority: priorityOf(row),
    variables,
    retryOf: id,
  });
}

/** What was given to builds was given by members of another owner. */
export const forgetVariables = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await clearVariables.run(db, { appId });
};

export const prioritizeBuild = (ctx: AppCtx, id: number, priority: BuildPriority): Promise<Build> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id);
    if (!(await prioritizeJob(ctx, row.job_id, toRank(priority)))) {
      throw conflict('This build no longer waits, so that its priority changes nothing.');
    }
    await savePriority.run(ctx.db, { appId: ctx.app.id, id, priority: toRank(priority) });
    await record(ctx, 'build.prioritize', appSubject(ctx.app), {
      before: { build: id, priority: priorityOf(row) },
      after: { build: id, priority },
    });
    return toBuild(ctx, await getRow(ctx, id));
  });

/** Whatever becomes of a build happens under the lock of its job, so that it cannot end and be cancelled at once. */
export const cancelBuild = (ctx: AppCtx, id: number): Promise<Build> =>
  tx(ctx, async (ctx) => {
    const { job_id } = await getRow(ctx, id);
    const outcome = await cancelJob(ctx, job_id);
    const row = await getRow(ctx, id);
    if (outcome === 'over') throw conflict('This build has ended already.');
    if (outcome === 'stopping') {
      await saveBuild.run(ctx.db, { ...row, status: 'cancelling', changed_at: ctx.clock.now() });
    }
    await record(ctx, 'build.cancel', appSubject(ctx.app), { after: { build: id } });
    return toBuild(ctx, await getRow(ctx, id));
  });

/** Builds that are about other jobs than builds are nobody's here. */
async function change(
  ctx: Ctx,
  jobId: string,
  changed: (row: BuildRow) => Partial<BuildRow>,
): Promise<BuildRow | undefined> {
  const row = await findBuildOfJob.first(ctx.db, { jobId });
  if (!row) return undefined;
  const after = { ...row, ...changed(row), changed_at: ctx.clock.now() };
  await saveBuild.run(ctx.db, after);
  return after;
}

export const startBuild = (ctx: Ctx, jobId: string) =>
  change(ctx, jobId, ({ started_at }) => ({ status: 'inProgress', started_at: started_at ?? ctx.clock.now() }));

export const returnBuild = (ctx: Ctx, jobId: string) => change(ctx, jobId, () => ({ status: 'notStarted' }));

export interface BuildEnd {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
  found?: Record<string, unknown> | undefined;
}

export const endBuild = (ctx: Ctx, jobId: string, { result, reason, found }: BuildEnd) =>
  change(ctx, jobId, () => ({
    status: 'completed',
    result,
    failure: result === 'failed' ? (reason ?? null) : null,
    found: found ? JSON.stringify(found) : null,
    finished_at: ctx.clock.now(),
  }));

export interface Distribution {
  destinations: { id: string; type: 'store' | 'group' | 'tester' }[];
  notes?: string | undefined;
  isMandatory: boolean;
  isTold: boolean;
}

/** What people install; a bundle for stores is taken where it goes to stores alone. */
function packageOf(files: readonly JobFile[], { destinations }: Distribution): JobFile | undefined {
  const isForStores = destinations.length > 0 && destinations.every(({ type }) => type === 'store');
  const packages = files.filter(({ kind }) => kind === 'build');
  const bundle = packages.find(({ name }) => /\.aab$/i.test(name));
  return isForStores && bundle ? bundle : (packages.find((file) => file !== bundle) ?? bundle);
}

/** In the caller's transaction; says the id of the upload that becomes the release. */
export async function releaseBuild(ctx: Ctx, row: BuildRow, distribution: Distribution): Promise<string> {
  const file = packageOf(await listJobFiles(ctx, row.job_id), distribution);
  if (!file) throw badRequest('This build has made no package that could be released.');
  const uploadId = ctx.newId();
  const { notes, isMandatory, isTold, destinations } = distribution;
  await publish(ctx, packageMade, {
    appId: row.app_id,
    uploadId,
    key: file.key,
    name: file.name,
    size: file.size,
    sha256: file.sha256,
    build: { branch_name: row.branch, commit_hash: row.commit_sha },
    buildNumber: String(row.id),
    ...(notes === undefined ? {} : { notes }),
    isMandatory,
    isTold,
    destinations,
  });
  return uploadId;
}

/** By the ending of the file, as what it is looked through. */
const symbolTypes: readonly [RegExp, 'Apple' | 'JavaScript' | 'Breakpad' | 'UWP'][] = [
  [/\.map$/i, 'JavaScript'],
  [/\.dsym\.zip$/i, 'Apple'],
  [/\.appxsym$/i, 'UWP'],
  [/\.(so|sym|debug)$/i, 'Breakpad'],
  [/\.zip$/i, 'Breakpad'],
];

/** Crashes of what was built are read with its symbols; in the caller's transaction. */
export async function indexSymbols(ctx: Ctx, row: BuildRow): Promise<void> {
  const appId = row.app_id;
  const files = await listJobFiles(ctx, row.job_id);
  for (const { kind, name, key, size } of files) {
    const type = symbolTypes.find(([ending]) => ending.test(name))?.[1];
    if (kind === 'symbols' && type) await adoptSymbols(ctx, { appId, key, name, size, type });
  }
  // A mapping belongs to a version, which only the package tells.
  const mapping = files.find(({ kind }) => kind === 'mapping');
  const made = files.find(({ kind, name }) => kind === 'build' && /\.(apk|aab)$/i.test(name));
  if (!mapping || !made) return;
  const fileOf = ({ key, name, size }: JobFile) => ({ key, name, size });
  await publish(ctx, mappingMade, {
    appId,
    mapping: fileOf(mapping),
    package: { ...fileOf(made), sha256: made.sha256 },
  });
}

export const distributeBuild = (ctx: AppCtx, id: number, distribution: Distribution): Promise<string> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id);
    if (row.result !== 'succeeded') throw badRequest('Only a build that succeeded can be distributed.');
    const uploadId = await releaseBuild(ctx, row, distribution);
    await record(ctx, 'build.distribute', appSubject(ctx.app), { after: { build: id, upload: uploadId } });
    return uploadId;
  });

async function dropJobs(ctx: Ctx, jobs: readonly { job_id: string }[]): Promise<void> {
  for (const { job_id } of jobs) await deleteJob(ctx, job_id);
}

/** Also what is being built: its runner is told that the job is no longer its own. */
export const deleteBranchConfiguration = (ctx: AppCtx, branch: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await dropConfiguration(ctx, branch);
    const which = { appId: ctx.app.id, branch };
    await dropJobs(ctx, await listJobsOfBranch.all(ctx.db, which));
    await deleteBuildsOfBranch.run(ctx.db, which);
  });

export const disconnectRepository = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const which = { appId: ctx.app.id };
    const row = await findRepository.first(ctx.db, which);
    if (!row) throw notFound('repository of this app');
    await dropJobs(ctx, await listJobsOfApp.all(ctx.db, which));
    await deleteBuildsOfApp.run(ctx.db, which);
    await deleteBranches.run(ctx.db, which);
    await deleteWaitingOf.run(ctx.db, which);
    await deleteCommits.run(ctx.db, which);
    await deleteRepository.run(ctx.db, which);
    await record(ctx, 'repository.disconnect', appSubject(ctx.app), { before: { url: row.url } });
  });

const BATCH = 100;

/** Logs and files of builds that ended long ago. */
export async function sweepBuilds(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now() - ctx.config.buildDays * DAY;
  for (;;) {
    const jobs = await listOldJobs.all(ctx.db, { before, limit: BATCH });
    await tx(ctx, async (ctx) => {
      for (const { id } of jobs) await deleteJob(ctx, id);
    });
    if (jobs.length < BATCH) return;
  }
}
