import type { testRunResults } from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { OutboundError, type OutboundRequest } from '../../../outbound/fetch.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { type BuildRow, findBuild } from '../builds.store.ts';
import { findRepository } from '../repositories/repositories.store.ts';
import { getConnected } from '../repositories/repositories.ts';
import { repositoryName } from '../repositories/repository-urls.ts';

/** Result of the tests of a build. */
interface TestedBuild {
  runId: string;
  result: (typeof testRunResults)[number];
}

interface CommitStatusJob {
  appId: string;
  id: number;
  tests?: TestedBuild;
}

export const commitStatusSend = defineJob<CommitStatusJob>('commit_status.send', { lane: 'remote' });

/** Reports the status of a build or its tests to the repository host, if there are credentials for it. */
export const reportCommitStatus = async (ctx: Ctx, row: BuildRow, tests?: TestedBuild): Promise<void> => {
  const repository = await findRepository.first(ctx.db, { appId: row.app_id });
  if (repository?.password && statusApis[repository.type])
    await enqueue(ctx, commitStatusSend, { appId: row.app_id, id: row.id, ...(tests ? { tests } : {}) });
};

type State = 'pending' | 'succeeded' | 'failed' | 'canceled';

interface Status {
  /** URL of the repository. */
  url: URL;
  name: string;
  /** Identifies the status: a host keeps one per context. */
  context: string;
  sha: string;
  state: State;
  page: string;
  description: string;
  user: string | undefined;
  token: string;
}

type StatusApi = (status: Status) => { url: string } & OutboundRequest;

const CONTEXT = 'mooring';
const TESTS_CONTEXT = 'mooring/tests';
const json = { 'content-type': 'application/json', accept: 'application/json' };
const states = { pending: 'pending', succeeded: 'success', failed: 'failure', canceled: 'error' } as const;
const encodedPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

/** GitHub and Gitea use the same body. */
const toBody = ({ state, page, description, context }: Status): string =>
  JSON.stringify({ state: states[state], target_url: page, description, context });

/** Bitbucket access tokens use this user name for git only. */
const authorization = ({ user = '', token }: Status): string =>
  user === 'x-token-auth' ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;

/**
 * The path before `/_git/` is the organization and project on Azure DevOps; a missing project has the name of the
 * repository.
 */
function azureRepository({ origin, hostname, pathname }: URL): string {
  const [before = '', repository = ''] = pathname.split('/_git/');
  const isShort = before.split('/').length === (hostname === 'dev.azure.com' ? 2 : 1);
  return `${origin}${before}${isShort ? `/${repository}` : ''}/_apis/git/repositories/${repository}`;
}

/** The documented call of each type of host. Unknown hosts are called like Gitea. */
export const statusApis: Partial<Record<string, StatusApi>> = {
  github: (status) => ({
    url: `https://api.github.com/repos/${encodedPath(status.name)}/statuses/${status.sha}`,
    headers: { ...json, authorization: `Bearer ${status.token}`, 'user-agent': 'Mooring' },
    body: toBody(status),
  }),
  gitlab: ({ url, name, context, sha, state, page, description, token }) => ({
    url: `${url.origin}/api/v4/projects/${encodeURIComponent(name)}/statuses/${sha}`,
    headers: { ...json, 'private-token': token },
    body: JSON.stringify({
      state: { pending: 'running', succeeded: 'success', failed: 'failed', canceled: 'canceled' }[state],
      name: context,
      target_url: page,
      description,
    }),
  }),
  bitbucket: (status) => ({
    url: `https://api.bitbucket.org/2.0/repositories/${encodedPath(status.name)}/commit/${status.sha}/statuses/build`,
    headers: { ...json, authorization: authorization(status) },
    body: JSON.stringify({
      state: { pending: 'INPROGRESS', succeeded: 'SUCCESSFUL', failed: 'FAILED', canceled: 'STOPPED' }[status.state],
      key: status.context,
      url: status.page,
      description: status.description,
    }),
  }),
  vsts: (status) => ({
    url: `${azureRepository(status.url)}/commits/${status.sha}/statuses?api-version=7.1`,
    headers: { ...json, authorization: authorization(status) },
    body: JSON.stringify({
      state: { pending: 'pending', succeeded: 'succeeded', failed: 'failed', canceled: 'error' }[status.state],
      context: { name: status.context },
      targetUrl: status.page,
      description: status.description,
    }),
  }),
  git: (status) => ({
    url: `${status.url.origin}/api/v1/repos/${encodedPath(status.name)}/statuses/${status.sha}`,
    headers: { ...json, authorization: `token ${status.token}` },
    body: toBody(status),
  }),
};

const getState = ({ status, result }: BuildRow): State =>
  status === 'completed' && result !== 'none' ? result : 'pending';

const testStates = {
  pending: 'pending',
  passed: 'succeeded',
  failed: 'failed',
  stopped: 'canceled',
  error: 'failed',
} as const;
const testLabels = {
  pending: 'run',
  passed: 'passed',
  failed: 'failed',
  stopped: 'were stopped',
  error: 'could not be completed',
} as const;

/** Describes the state of the build, or of its tests. */
function describeStatus(row: BuildRow, tests: TestedBuild | undefined) {
  if (tests)
    return {
      context: TESTS_CONTEXT,
      state: testStates[tests.result],
      path: `test/series/all/runs/${tests.runId}`,
      description: `Tests of build ${row.id} ${testLabels[tests.result]}`,
    };
  const state = getState(row);
  const how = row.failure ?? (state === 'pending' ? row.status : state);
  return { context: CONTEXT, state, path: `builds/${row.id}`, description: `Build ${row.id}: ${how}` };
}

const MAX_RESPONSE_BYTES = 65_536;

/** Failures are not retried: the token may be read-only, and the next build reports again. */
export async function sendCommitStatus(ctx: Ctx, { appId, id, tests }: CommitStatusJob): Promise<void> {
  const row = await findBuild.first(ctx.db, { appId, id });
  const repository = await findRepository.first(ctx.db, { appId });
  const api = repository && statusApis[repository.type];
  if (!row || !api) return;
  const { remote } = await getConnected(ctx, appId);
  if (remote.password === undefined) return;
  const { owner, name } = await getApp({ ...ctx, app: await getAppRef(ctx, appId), permission: 'viewer' });
  const home = `${owner.kind === 'org' ? 'orgs' : 'users'}/${encodeURIComponent(owner.name)}`;
  const { context, state, path, description } = describeStatus(row, tests);
  const { url, ...request } = api({
    url: new URL(remote.url),
    name: repositoryName(remote.url),
    context,
    sha: row.commit_sha,
    state,
    page: `${ctx.publicUrl()}/${home}/apps/${encodeURIComponent(name)}/${path}`,
    description: description.slice(0, 140),
    user: remote.username,
    token: remote.password,
  });
  try {
    const { status } = await ctx.fetch(url, { method: 'POST', ...request, maxBytes: MAX_RESPONSE_BYTES });
    if (status >= 300) ctx.log.info({ appId, status }, 'the repository host rejected a commit status');
  } catch (err) {
    if (!(err instanceof OutboundError)) throw err;
    ctx.log.info({ appId, err }, 'failed to report a commit status to the repository host');
  }
}
