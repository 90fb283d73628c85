import type { AppCtx, Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest, type Failure } from '../../../kernel/errors.ts';
import { jsonCodec, StringRecord } from '../../../kernel/text/json-codec.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import type { BuildCommitsTable } from '../builds.tables.ts';
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
  saveRepositoryError,
} from './repositories.store.ts';
import { commitUrl, isSsh, readRepositoryUrl } from './repository-urls.ts';

const extraFieldsCodec = jsonCodec('build_repositories.kept', StringRecord);

const PURPOSE = 'repository';
const KEY_PURPOSE = 'deploy-key';

export interface RepositoryInput {
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Fields that clients send and expect back. */
  extraFields: Record<string, string | undefined>;
}

export interface Repository {
  id: string;
  url: string;
  type: string;
  username: string | undefined;
  state: RepositoryRow['state'];
  trouble: string | undefined;
  extraFields: Record<string, string>;
  hookId: string | undefined;
  pushedAt: number | undefined;
  /** Public key, to add at the host. */
  deployKey: string | undefined;
}

const toRepository = (row: RepositoryRow): Repository => ({
  id: row.id,
  url: row.url,
  type: row.type,
  username: row.username ?? undefined,
  state: row.state,
  trouble: row.trouble ?? undefined,
  extraFields: extraFieldsCodec.parse(row.kept),
  hookId: row.hook_id ?? undefined,
  pushedAt: row.pushed_at ?? undefined,
  deployKey: row.deploy_public_key ?? undefined,
});

export const listRepositories = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>): Promise<Repository[]> =>
  (await findRepository.all(db, { appId: app.id })).map(toRepository);

/** Refuses an address that can't be read with these credentials. Not for SSH: the host does not have the deploy key yet. */
export async function checkRepository(ctx: AppCtx, input: RepositoryInput): Promise<void> {
  const { url, ...inUrl } = readRepositoryUrl(input.url);
  if (isSsh(url)) return;
  const before = await findRepository.first(ctx.db, { appId: ctx.app.id });
  const unchanged = before?.url === url ? before : undefined;
  const sealed = unchanged?.password ?? null;
  const username = input.username || inUrl.username || (unchanged?.username ?? undefined);
  const password =
    input.password || inUrl.password || (sealed === null ? undefined : open(ctx.secretKey, PURPOSE, sealed));
  try {
    await readHeads(ctx, { url, username, password });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const why = error.isUnauthorized
      ? `${error.message} Send a user name and a token with read access.`
      : error.message;
    throw badRequest(`Can't connect ${url}. ${why}`);
  }
}

/** Omitted credentials are kept if the address is the same; they are never sent to another address. */
export const connectRepository = (ctx: AppCtx, input: RepositoryInput): Promise<Repository> => {
  const { url, type, ...inUrl } = readRepositoryUrl(input.url);
  return tx(ctx, async (ctx) => {
    const before = await findRepository.first(ctx.db, { appId: ctx.app.id });
    const isSame = before?.url === url;
    const username = input.username || inUrl.username || (isSame ? (before.username ?? undefined) : undefined);
    const password = input.password || inUrl.password;
    const key = isSsh(url) ? getSshKey(ctx, isSame ? before : undefined) : noKey;
    const extraFields = Object.fromEntries(
      Object.entries(input.extraFields).filter(([, value]) => value !== undefined),
    );
    const row: RepositoryRow = {
      app_id: ctx.app.id,
      id: before?.id ?? ctx.newId(),
      url,
      type,
      kept: JSON.stringify(extraFields),
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

/** One key per address, so that no host accepts the key of another one. */
function getSshKey(ctx: AppCtx, before: RepositoryRow | undefined) {
  if (before?.deploy_key) {
    const { deploy_key, deploy_public_key, known_hosts } = before;
    return { deploy_key, deploy_public_key, known_hosts };
  }
  const { privateKey, publicKey } = makeDeployKey(`mooring ${ctx.app.ownerName}/${ctx.app.name}`);
  return { ...noKey, deploy_key: seal(ctx.secretKey, KEY_PURPOSE, privateKey), deploy_public_key: publicKey };
}

/** They may allow access to other repositories of the previous owner. */
export const eraseCredentials = async ({ db }: Pick<Ctx, 'db'>, appId: string): Promise<void> => {
  const lastError =
    'The app was transferred to another owner. Connect the repository again with credentials of the new owner.';
  await clearCredentials.run(db, { appId, trouble: lastError });
};

export interface ConnectedRepository {
  row: RepositoryRow;
  remote: Remote;
}

const NOT_CONNECTED = 'This app has no repository. Connect one on its Builds page or with `mooring repos connect`.';

export async function getConnected(
  { db, secretKey }: Pick<Ctx, 'db' | 'secretKey'>,
  appId: string,
): Promise<ConnectedRepository> {
  const row = await findRepository.first(db, { appId });
  if (!row) throw badRequest(NOT_CONNECTED);
  const password = row.password === null ? undefined : open(secretKey, PURPOSE, row.password);
  if (row.password !== null && password === undefined) {
    throw badRequest(
      "Can't decrypt the password of the repository: it was encrypted with another MOORING_SECRET_KEY. Connect the repository again.",
    );
  }
  const deployKey = row.deploy_key === null ? undefined : open(secretKey, KEY_PURPOSE, row.deploy_key);
  if (isSsh(row.url) && deployKey === undefined) {
    throw badRequest(
      'The deploy key of the repository is missing or was encrypted with another MOORING_SECRET_KEY. Connect the repository again.',
    );
  }
  const ssh =
    deployKey === undefined ? {} : { ssh: { privateKey: deployKey, knownHosts: row.known_hosts ?? undefined } };
  return { row, remote: { url: row.url, username: row.username ?? undefined, password, ...ssh } };
}

/** Saves the key of an SSH host after the first connection. */
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

/** Saves the result of the read, so that users see the last error of the repository. */
async function noting<T>(ctx: Ctx, row: RepositoryRow, read: () => Promise<T>): Promise<T> {
  const note = async (state: RepositoryRow['state'], lastError: string | null) => {
    if (state === row.state && lastError === row.trouble) return;
    await tx(ctx, ({ db }) => saveRepositoryError.run(db, { appId: row.app_id, state, trouble: lastError }));
  };
  try {
    const result = await read();
    await note('active', null);
    return result;
  } catch (error) {
    if (error instanceof GitError) await note(error.isUnauthorized ? 'unauthorized' : 'active', error.message);
    throw error;
  }
}

/** The branches of the repository, or the reason why it can't be read. */
export async function findHeads(ctx: Ctx & Pick<AppCtx, 'app'>, signal?: AbortSignal): Promise<Head[] | GitError> {
  const { row, remote } = await getConnected(ctx, ctx.app.id);
  return noting(ctx, row, () => readHeads(ctx, learning(ctx, row, remote), { signal })).catch((error: unknown) => {
    if (error instanceof GitError) return error;
    throw error;
  });
}

/** An unreadable repository is not a failure of this server. */
export const toFailure = ({ message, isUnauthorized }: GitError): Failure =>
  badRequest(isUnauthorized ? `${message} Connect it again with a token that has read access.` : message);

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

const MAX_COMMITS = 100;
/** For all unknown commits together, because the caller waits. */
const READ_TIMEOUT_MS = 20 * SECOND;

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

/** Reads all commits with one command; fails for all if one is missing. */
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

/** Limits retries of commits that could not be read. */
function mayTry({ clock }: Pick<Deps, 'clock'>, key: string): boolean {
  const now = clock.now();
  if ((tried.get(key) ?? 0) > now) return false;
  if (tried.size > 10_000) tried.clear();
  tried.set(key, now + TRY_AGAIN);
  return true;
}

/** Falls back to single reads if the repository lacks some commits. */
async function readMissing(deps: Deps, remote: Remote, appId: string, shas: string[]): Promise<BuildCommitsTable[]> {
  if (shas.length === 0) return [];
  const deadline = performance.now() + READ_TIMEOUT_MS;
  const all = await readCommits(deps, remote, appId, { shas, deadline });
  if (all || shas.length === 1) return all ?? [];
  const found: BuildCommitsTable[] = [];
  for (const sha of shas) {
    if (performance.now() >= deadline) break;
    found.push(...((await readCommits(deps, remote, appId, { shas: [sha], deadline })) ?? []));
  }
  return found;
}

/** In the order of the request. Unreadable commits have no message and author. */
export async function listCommits(ctx: AppCtx, hashes: string): Promise<Commit[]> {
  const shas = hashes.split(',').map((sha) => sha.trim().toLowerCase());
  if (shas.length > MAX_COMMITS)
    throw badRequest(`A request can list at most ${MAX_COMMITS} commits. Send several requests.`);
  const bad = shas.find((sha) => !/^[0-9a-f]{40}$/.test(sha));
  if (bad !== undefined)
    throw badRequest(`"${bad.slice(0, 60)}" is not a commit hash. Send all 40 hexadecimal digits.`);
  const { row, remote } = await getConnected(ctx, ctx.app.id);
  const appId = ctx.app.id;
  const known = new Map((await findCommits(ctx.db, { appId, shas: [...new Set(shas)] })).map((row) => [row.sha, row]));
  const toTryKey = (sha: string) => `${appId} ${row.url} ${sha}`;
  const missing = [...new Set(shas)].filter((sha) => !known.has(sha) && mayTry(ctx, toTryKey(sha)));
  for (const found of await readMissing(ctx, remote, appId, missing)) {
    known.set(found.sha, found);
    tried.delete(toTryKey(found.sha));
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
