import type { AppCtx, Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { badRequest, type Failure } from '../../kernel/errors.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import type { BuildCommitsTable } from './builds.tables.ts';
import { makeDeployKey } from './deploy-keys.ts';
import { GitError, type Head, type Remote, readHeads, type Sources, withCommits } from './git.ts';
import {
  clearCredentials,
  deleteCommits,
  findCommits,
  findRepository,
  type RepositoryRow,
  saveCommit,
  saveKnownHosts,
  saveRepository,
  saveTrouble,
} from './repositories.store.ts';
import { commitUrl, isSsh, readRepositoryUrl } from './repository-urls.ts';

const PURPOSE = 'repository';
const KEY_PURPOSE = 'deploy-key';

export interface RepositoryInput {
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** What clients send with it and want back. */
  kept: Record<string, string | undefined>;
}

export interface Repository {
  id: string;
  url: string;
  type: string;
  username: string | undefined;
  state: RepositoryRow['state'];
  trouble: string | undefined;
  kept: Record<string, string>;
  hookId: string | undefined;
  pushedAt: number | undefined;
  /** For the host, which lets in whoever has the other part. */
  deployKey: string | undefined;
}

const toRepository = (row: RepositoryRow): Repository => ({
  id: row.id,
  url: row.url,
  type: row.type,
  username: row.username ?? undefined,
  state: row.state,
  trouble: row.trouble ?? undefined,
  kept: JSON.parse(row.kept) as Record<string, string>,
  hookId: row.hook_id ?? undefined,
  pushedAt: row.pushed_at ?? undefined,
  deployKey: row.deploy_public_key ?? undefined,
});

export const listRepositories = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<Repository[]> =>
  (await findRepository.all(db, { appId: app.id })).map(toRepository);

/** Refuses an address that cannot be read with these credentials; by ssh the host does not know the key yet. */
export async function checkRepository(ctx: AppCtx, input: RepositoryInput): Promise<void> {
  const { url, ...inUrl } = readRepositoryUrl(input.url);
  if (isSsh(url)) return;
  const before = await findRepository.first(ctx.db, { appId: ctx.app.id });
  const kept = before?.url === url ? before : undefined;
  const sealed = kept?.password ?? null;
  const username = input.username || inUrl.username || (kept?.username ?? undefined);
  const password =
    input.password || inUrl.password || (sealed === null ? undefined : open(ctx.secretKey, PURPOSE, sealed));
  try {
    await readHeads(ctx, { url, username, password });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const why = error.isUnauthorized ? `${error.message} Name a user and a token that may read it.` : error.message;
    throw badRequest(`${url} was not connected: ${why}`);
  }
}

/** Credentials that are not said again stay as long as the address does; to another one they are never sent. */
export const connectRepository = (ctx: AppCtx, input: RepositoryInput): Promise<Repository> => {
  const { url, type, ...inUrl } = readRepositoryUrl(input.url);
  return tx(ctx, async (ctx) => {
    const before = await findRepository.first(ctx.db, { appId: ctx.app.id });
    const isSame = before?.url === url;
    const username = input.username || inUrl.username || (isSame ? (before.username ?? undefined) : undefined);
    const password = input.password || inUrl.password;
    const key = isSsh(url) ? sshKeyOf(ctx, isSame ? before : undefined) : noKey;
    const kept = Object.fromEntries(Object.entries(input.kept).filter(([, value]) => value !== undefined));
    const row: RepositoryRow = {
      app_id: ctx.app.id,
      id: before?.id ?? ctx.newId(),
      url,
      type,
      kept: JSON.stringify(kept),
      username: username ?? null,
      password: password ? seal(ctx.secretKey, PURPOSE, password) : isSame ? before.password : null,
      state: 'active',
      trouble: null,
      created_at: before?.created_at ?? ctx.clock.now(),
      ...key,
      hook_id: before?.hook_id ?? null,
      hook_secret: before?.hook_secret ?? null,
      pushed_at: before?.pushed_at ?? null,
      polled_at: null,
    };
    await saveRepository.run(ctx.db, row);
    if (before && !isSame) await deleteCommits.run(ctx.db, { appId: ctx.app.id });
    await record(ctx, 'repository.connect', appSubject(ctx.app), {
      ...(before ? { before: { url: before.url, username: before.username } } : {}),
      after: { url, username: row.username },
    });
    return toRepository(row);
  });
};

const noKey = { deploy_key: null, deploy_public_key: null, known_hosts: null };

/** One for each address, so that a host never lets in who was meant for another. */
function sshKeyOf(ctx: AppCtx, before: RepositoryRow | undefined) {
  if (before?.deploy_key) {
    const { deploy_key, deploy_public_key, known_hosts } = before;
    return { deploy_key, deploy_public_key, known_hosts };
  }
  const { privateKey, publicKey } = makeDeployKey(`mooring ${ctx.app.ownerName}/${ctx.app.name}`);
  return { ...noKey, deploy_key: seal(ctx.secretKey, KEY_PURPOSE, privateKey), deploy_public_key: publicKey };
}

/** Who gave them may read more with them than this repository. */
export const forgetCredentials = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  const trouble = 'The app has another owner; connect the repository again with credentials of the new one.';
  await clearCredentials.run(db, { appId, trouble });
};

export interface ConnectedRepository {
  row: RepositoryRow;
  remote: Remote;
}

const NOT_CONNECTED =
  'The app has no repository yet; connect one first, on its page of builds or with `mooring repos connect`.';

export async function getConnected(
  { db, secretKey }: Pick<Ctx, 'db' | 'secretKey'>,
  appId: string,
): Promise<ConnectedRepository> {
  const row = await findRepository.first(db, { appId });
  if (!row) throw badRequest(NOT_CONNECTED);
  const password = row.password === null ? undefined : open(secretKey, PURPOSE, row.password);
  if (row.password !== null && password === undefined) {
    throw badRequest('The password of the repository was sealed with another MOORING_SECRET_KEY; connect it again.');
  }
  const deployKey = row.deploy_key === null ? undefined : open(secretKey, KEY_PURPOSE, row.deploy_key);
  if (isSsh(row.url) && deployKey === undefined) {
    throw badRequest(
      'The deploy key of the repository is gone or was sealed with another MOORING_SECRET_KEY; connect it again.',
    );
  }
  const ssh =
    deployKey === undefined ? {} : { ssh: { privateKey: deployKey, knownHosts: row.known_hosts ?? undefined } };
  return { row, remote: { url: row.url, username: row.username ?? undefined, password, ...ssh } };
}

/** A host that was reached by ssh for the first time is known from then on. */
const learning = (ctx: Ctx, row: RepositoryRow, remote: Remote): Remote =>
  remote.ssh && remote.ssh.knownHosts === undefined
    ? {
        ...remote,
        ssh: {
          ...remote.ssh,
          onKnownHosts: (knownHosts) =>
            tx(ctx, ({ db }) => saveKnownHosts.run(db, { appId: row.app_id, url: row.url, knownHosts })),
        },
      }
    : remote;

/** Remembers what is wrong with it, so that people see it where the repository is shown. */
async function noting<T>(ctx: Ctx, row: RepositoryRow, read: () => Promise<T>): Promise<T> {
  const note = async (state: RepositoryRow['state'], trouble: string | null) => {
    if (state === row.state && trouble === row.trouble) return;
    await tx(ctx, ({ db }) => saveTrouble.run(db, { appId: row.app_id, state, trouble }));
  };
  try {
    const answer = await read();
    await note('active', null);
    return answer;
  } catch (error) {
    if (error instanceof GitError) await note(error.isUnauthorized ? 'unauthorized' : 'active', error.message);
    throw error;
  }
}

/** What the repository says, or why it says nothing. */
export async function findHeads(ctx: Ctx & Pick<AppCtx, 'app'>, signal?: AbortSignal): Promise<Head[] | GitError> {
  const { row, remote } = await getConnected(ctx, ctx.app.id);
  return noting(ctx, row, () => readHeads(ctx, learning(ctx, row, remote), { signal })).catch((error: unknown) => {
    if (error instanceof GitError) return error;
    throw error;
  });
}

/** A repository that cannot be read is its owner's matter: this server has not failed. */
export const refusalOf = ({ message, isUnauthorized }: GitError): Failure =>
  badRequest(isUnauthorized ? `${message} Connect it again with a token that may read it.` : message);

export async function readSources<T>(
  ctx: AppCtx,
  { sha, signal }: { sha: string; signal?: AbortSignal | undefined },
  read: (sources: Sources) => Promise<T>,
): Promise<T> {
  const { row, remote } = await getConnected(ctx, ctx.app.id);
  return noting(ctx, row, () => withCommits(ctx, remote, { shas: [sha], filter: 'blob:none', signal }, read));
}

export interface Commit {
  sha: string;
  url: string;
  message: string;
  author: { name: string; email: string; date: string };
}

const MOST_COMMITS = 100;
/** For all that are not known together: whoever asks waits for it. */
const PATIENCE = 20 * SECOND;

const toCommitRow = (appId: string, printed: string): BuildCommitsTable => {
  const [sha = '', author_name = '', author_email = '', authored_at = '', message = ''] = printed.split('\0');
  return {
    app_id: appId,
    sha: sha.trim(),
    message: message.trim().slice(0, 4000),
    author_name: author_name.slice(0, 200),
    author_email: author_email.slice(0, 200),
    authored_at: authored_at.slice(0, 40),
  };
};

/** All in one call; a repository that lacks one of them gives none. */
async function readCommits(
  deps: Deps,
  remote: Remote,
  appId: string,
  { shas, deadline }: { shas: readonly string[]; deadline: number },
): Promise<BuildCommitsTable[] | undefined> {
  const format = '--format=%H%x00%an%x00%ae%x00%aI%x00%B%x00%x1e';
  try {
    const printed = await withCommits(deps, remote, { shas, filter: 'tree:0', deadline }, ({ git }) =>
      git('log', '--no-walk', format, ...shas, '--'),
    );
    const rows = printed
      .split('\0\x1e')
      .filter((one) => one.trim())
      .map((one) => toCommitRow(appId, one));
    await tx(deps, async ({ db }) => {
      for (const row of rows) await saveCommit.run(db, row);
    });
    return rows;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

const tried = new Map<string, number>();
const TRY_AGAIN = 5 * MINUTE;

/** What could not be read is not asked for again for a while. */
function mayTry({ clock }: Pick<Deps, 'clock'>, key: string): boolean {
  const now = clock.now();
  if ((tried.get(key) ?? 0) > now) return false;
  if (tried.size > 10_000) tried.clear();
  tried.set(key, now + TRY_AGAIN);
  return true;
}

/** One by one only where the repository lacks some of them. */
async function readMissing(deps: Deps, remote: Remote, appId: string, shas: string[]): Promise<BuildCommitsTable[]> {
  if (shas.length === 0) return [];
  const deadline = performance.now() + PATIENCE;
  const all = await readCommits(deps, remote, appId, { shas, deadline });
  if (all || shas.length === 1) return all ?? [];
  const found: BuildCommitsTable[] = [];
  for (const sha of shas) {
    if (performance.now() >= deadline) break;
    found.push(...((await readCommits(deps, remote, appId, { shas: [sha], deadline })) ?? []));
  }
  return found;
}

/** In the order in which they are asked for; one that cannot be read has no message and no author. */
export async function listCommits(ctx: AppCtx, hashes: string): Promise<Commit[]> {
  const shas = hashes.split(',').map((sha) => sha.trim().toLowerCase());
  if (shas.length > MOST_COMMITS) throw badRequest(`At most ${MOST_COMMITS} commits can be asked for at once.`);
  const bad = shas.find((sha) => !/^[0-9a-f]{40}$/.test(sha));
  if (bad !== undefined) throw badRequest(`"${bad.slice(0, 60)}" is no commit; give its 40 hexadecimal digits.`);
  const { row, remote } = await getConnected(ctx, ctx.app.id);
  const appId = ctx.app.id;
  const known = new Map((await findCommits(ctx.db, { appId, shas: [...new Set(shas)] })).map((row) => [row.sha, row]));
  const keyOf = (sha: string) => `${appId} ${row.url} ${sha}`;
  const missing = [...new Set(shas)].filter((sha) => !known.has(sha) && mayTry(ctx, keyOf(sha)));
  for (const found of await readMissing(ctx, remote, appId, missing)) {
    known.set(found.sha, found);
    tried.delete(keyOf(found.sha));
  }
  const commits: Commit[] = [];
  for (const sha of shas) {
    const found = known.get(sha);
    commits.push({
      sha,
      url: commitUrl(row.type, row.url, sha),
      message: found?.message ?? '',
      author: { name: found?.author_name ?? '', email: found?.author_email ?? '', date: found?.authored_at ?? '' },
    });
  }
  return commits;
}
