import { buildPriorities, Type } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { open, seal } from '../../kernel/crypto/sealed.ts';
import { badRequest, conflict, Failure, notFound, tooManyRequests } from '../../kernel/errors.ts';
import { decodeCursor, type Page, readPage } from '../../kernel/paging.ts';
import { jsonCodec, listOutline } from '../../kernel/text/json-codec.ts';
import { appSubject, getApp } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { mappingMade, packageMade } from '../packages/index.ts';
import { cancelJob, deleteJob, type JobFile, listJobFiles, prioritizeJob, queueJob } from '../runners/index.ts';
import { adoptSymbols } from '../symbols/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
import { buildWork, listNeeds } from './build-work.ts';
import {
  type BuildFilter,
  type BuildRow,
  clearVariables,
  countOpenBuilds,
  deleteAppBuilds,
  deleteBranchBuilds,
  findBuild,
  findBuildByJob,
  findPushBuild,
  insertBuild,
  listAppJobs,
  listBranchBuilds,
  listBranchJobs,
  listLastBuilds,
  listOldJobs,
  pageBuilds,
  saveBuild,
  savePriority,
} from './builds.store.ts';
import { deleteBranches, takeNumber } from './configurations/branch-configurations.store.ts';
import { dropConfiguration, findConfiguration, listConfigured } from './configurations/branch-configurations.ts';
import { isPattern, matchesPattern } from './configurations/branch-patterns.ts';
import { findVariables } from './configurations/build-settings.ts';
import { checkVariables, type Variable } from './configurations/environment-variables.ts';
import { deleteWaitingPushes } from './pushes/waiting-pushes.store.ts';
import { GitError } from './repositories/git.ts';
import { deleteCommits, deleteRepository, findRepository } from './repositories/repositories.store.ts';
import { findHeads, getConnected, toFailure } from './repositories/repositories.ts';
import { commitUrl } from './repositories/repository-urls.ts';

const variablesCodec = jsonCodec('builds.variables', listOutline<Variable>(Type.Object({ name: Type.String() })));

export interface Build {
  row: BuildRow;
  files: JobFile[];
}

const MAX_LISTED = 1000;
/** Maximum value of the column. */
const MAX_ID = 2_147_483_647;

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
  listBranchBuilds.all(db, { appId: app.id, branch, limit: MAX_LISTED });

export interface BuildQuery extends BuildFilter {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export async function listAllBuilds(
  { db, app }: AppCtx,
  { limit = 50, cursor, ...filter }: BuildQuery,
): Promise<Page<BuildRow>> {
  const before = cursor === undefined ? undefined : Math.min(Number(decodeCursor(cursor, ['number'])[0]), MAX_ID);
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

/**
 * Branches of the repository, and branches that are configured or were built; only the latter while the repository is
 * unreachable.
 */
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

/** Work for an app by any caller, including the server itself. */
export type AppWork = Ctx & Pick<AppCtx, 'app'>;

/** The newest commit of a branch. */
async function getHeadCommit(ctx: AppWork, branch: string): Promise<string> {
  const heads = await findHeads(ctx);
  if (heads instanceof GitError) throw toFailure(heads);
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
  /** For this build only. */
  variables?: Variable[] | undefined;
  retryOf?: number;
}

export type BuildPriority = (typeof buildPriorities)[number];
const NORMAL = buildPriorities.indexOf('normal');
const toRank = (priority: BuildPriority): number => buildPriorities.indexOf(priority) - NORMAL;
export const getPriority = ({ priority }: Pick<BuildRow, 'priority'>): BuildPriority =>
  buildPriorities[priority + NORMAL] ?? 'normal';

const PURPOSE = 'build-variables';

export async function queueBuild(
  ctx: AppWork,
  { branch, sha, isDebug = false, reason = 'manual', priority = 'normal', variables = [], retryOf }: NewBuild,
): Promise<Build> {
  const appId = ctx.app.id;
  if (isPattern(branch)) throw badRequest(`${branch} is a pattern. Name a branch that matches it.`);
  checkVariables(variables);
  const configuration = await findConfiguration(ctx, appId, branch);
  if (!configuration) throw badRequest(`The branch ${branch} has no build configuration. Configure it first.`);
  await refuseOverQuota(ctx, 'build_minutes');
  // Without storage, the artifacts of the build could not be saved.
  await refuseOverQuota(ctx, 'storage_bytes');
  const appVariables = await findVariables(ctx, appId);
  const { row: repository, remote } = await getConnected(ctx, appId);
  const commit = (sha ?? (await getHeadCommit(ctx, branch))).toLowerCase();
  const { os, platform } = await getApp({ ...ctx, permission: 'viewer' });
  return tx(ctx, async (ctx) => {
    // Taking the number locks the row until the build is inserted, so concurrent calls count all builds.
    const number = await takeNumber.first(ctx.db, { app_id: appId, name: 'build', last_id: 1 });
    const id = number?.last_id ?? 1;
    if (reason === 'push' && (await findPushBuild.first(ctx.db, { appId, branch, sha: commit }))) {
      throw conflict(`A push already queued a build of commit ${commit}.`);
    }
    const open = Number((await countOpenBuilds.first(ctx.db, { appId }))?.count ?? 0);
    if (open >= ctx.config.buildQueue) {
      throw tooManyRequests(
        `This app already has ${open} queued and running builds. Cancel some, or wait until they finish.`,
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
      appVariables,
      buildVariables: variables,
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
        needs: listNeeds(work),
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

/** Builds the same commit with the same variables and the current configuration of the branch. */
export async function retryBuild(ctx: AppCtx, id: number): Promise<Build> {
  const row = await getRow(ctx, id);
  if (row.status !== 'completed')
    throw conflict("Can't retry this build: it has not finished. Cancel it, or wait until it finishes.");
  const text = row.variables === null ? '[]' : open(ctx.secretKey, PURPOSE, row.variables);
  if (text === undefined) {
    throw badRequest(
      "Can't decrypt the variables of this build: they were encrypted with another MOORING_SECRET_KEY. Queue a new build.",
    );
  }
  const variables = variablesCodec.parse(text);
  return queueBuild(ctx, {
    branch: row.branch,
    sha: row.commit_sha,
    priority: getPriority(row),
    variables,
    retryOf: id,
  });
}

/** The variables came from members of the previous owner. */
export const eraseVariables = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  await clearVariables.run(db, { appId });
};

export const prioritizeBuild = (ctx: AppCtx, id: number, priority: BuildPriority): Promise<Build> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id);
    if (!(await prioritizeJob(ctx, row.job_id, toRank(priority)))) {
      throw conflict("Can't change the priority: this build is no longer queued.");
    }
    await savePriority.run(ctx.db, { appId: ctx.app.id, id, priority: toRank(priority) });
    await record(ctx, 'build.prioritize', appSubject(ctx.app), {
      before: { build: id, priority: getPriority(row) },
      after: { build: id, priority },
    });
    return toBuild(ctx, await getRow(ctx, id));
  });

/** State changes happen under the lock of the job, so that a build can't finish and be canceled at the same time. */
export const cancelBuild = (ctx: AppCtx, id: number): Promise<Build> =>
  tx(ctx, async (ctx) => {
    const { job_id } = await getRow(ctx, id);
    const outcome = await cancelJob(ctx, job_id);
    const row = await getRow(ctx, id);
    if (outcome === 'over') throw conflict("Can't cancel this build: it has already finished.");
    if (outcome === 'stopping') {
      await saveBuild.run(ctx.db, { ...row, status: 'cancelling', changed_at: ctx.clock.now() });
    }
    await record(ctx, 'build.cancel', appSubject(ctx.app), { after: { build: id } });
    return toBuild(ctx, await getRow(ctx, id));
  });

/** Ignores jobs of other kinds, such as tests. */
async function change(
  ctx: Ctx,
  jobId: string,
  changed: (row: BuildRow) => Partial<BuildRow>,
): Promise<BuildRow | undefined> {
  const row = await findBuildByJob.first(ctx.db, { jobId });
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
  notifyTesters: boolean;
}

/** Prefers an installable package; an app bundle is used only if all destinations are stores. */
function findPackage(files: readonly JobFile[], { destinations }: Distribution): JobFile | undefined {
  const isForStores = destinations.length > 0 && destinations.every(({ type }) => type === 'store');
  const packages = files.filter(({ kind }) => kind === 'build');
  const bundle = packages.find(({ name }) => /\.aab$/i.test(name));
  return isForStores && bundle ? bundle : (packages.find((file) => file !== bundle) ?? bundle);
}

/** Call in a transaction. Returns the ID of the upload that becomes the release. */
export async function releaseBuild(ctx: Ctx, row: BuildRow, distribution: Distribution): Promise<string> {
  const file = findPackage(await listJobFiles(ctx, row.job_id), distribution);
  if (!file) throw badRequest("Can't release this build: it produced no package. See its log.");
  const uploadId = ctx.newId();
  const { notes, isMandatory, notifyTesters, destinations } = distribution;
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
    isTold: notifyTesters,
    destinations,
  });
  return uploadId;
}

/** Symbol type by file extension. */
const symbolTypes: readonly [RegExp, 'Apple' | 'JavaScript' | 'Breakpad' | 'UWP'][] = [
  [/\.map$/i, 'JavaScript'],
  [/\.dsym\.zip$/i, 'Apple'],
  [/\.appxsym$/i, 'UWP'],
  [/\.(so|sym|debug)$/i, 'Breakpad'],
  [/\.zip$/i, 'Breakpad'],
];

/** Indexes the symbols of a build for crash reports. Call in a transaction. */
export async function indexSymbols(ctx: Ctx, row: BuildRow): Promise<void> {
  const appId = row.app_id;
  const files = await listJobFiles(ctx, row.job_id);
  for (const { kind, name, key, size } of files) {
    const type = symbolTypes.find(([ending]) => ending.test(name))?.[1];
    if (kind === 'symbols' && type) await adoptSymbols(ctx, { appId, key, name, size, type });
  }
  // A mapping belongs to a version, which only the package contains.
  const mapping = files.find(({ kind }) => kind === 'mapping');
  const made = files.find(({ kind, name }) => kind === 'build' && /\.(apk|aab)$/i.test(name));
  if (!mapping || !made) return;
  const toFileInfo = ({ key, name, size }: JobFile) => ({ key, name, size });
  await publish(ctx, mappingMade, {
    appId,
    mapping: toFileInfo(mapping),
    package: { ...toFileInfo(made), sha256: made.sha256 },
  });
}

export const distributeBuild = (ctx: AppCtx, id: number, distribution: Distribution): Promise<string> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id);
    if (row.result !== 'succeeded')
      throw badRequest("Can't distribute this build: it did not succeed. Choose a successful build.");
    const uploadId = await releaseBuild(ctx, row, distribution);
    await record(ctx, 'build.distribute', appSubject(ctx.app), { after: { build: id, upload: uploadId } });
    return uploadId;
  });

async function dropJobs(ctx: Ctx, jobs: readonly { job_id: string }[]): Promise<void> {
  for (const { job_id } of jobs) await deleteJob(ctx, job_id);
}

/** Deletes builds of the branch too, even running ones: their runners learn that the jobs were deleted. */
export const deleteBranchConfiguration = (ctx: AppCtx, branch: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await dropConfiguration(ctx, branch);
    const which = { appId: ctx.app.id, branch };
    await dropJobs(ctx, await listBranchJobs.all(ctx.db, which));
    await deleteBranchBuilds.run(ctx.db, which);
  });

export const disconnectRepository = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const which = { appId: ctx.app.id };
    const row = await findRepository.first(ctx.db, which);
    if (!row) throw new Failure('NotFound', 'This app has no repository. Connect one first.');
    await dropJobs(ctx, await listAppJobs.all(ctx.db, which));
    await deleteAppBuilds.run(ctx.db, which);
    await deleteBranches.run(ctx.db, which);
    await deleteWaitingPushes.run(ctx.db, which);
    await deleteCommits.run(ctx.db, which);
    await deleteRepository.run(ctx.db, which);
    await record(ctx, 'repository.disconnect', appSubject(ctx.app), { before: { url: row.url } });
  });

const BATCH = 100;

/** Deletes logs and artifacts of expired builds. */
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
