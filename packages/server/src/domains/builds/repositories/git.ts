import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Deps, workOwner } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { canceled, createFairPool } from '../../../kernel/concurrency/fair-pool.ts';
import { unavailable } from '../../../kernel/errors.ts';
import { OutboundError } from '../../../outbound/fetch.ts';
import { reachableAddresses } from '../../../outbound/reachable.ts';
import { findProgram } from '../../../workers/index.ts';
import { isSsh } from './repository-urls.ts';

export interface Remote {
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  ssh?: SshAccess | undefined;
}

export interface SshAccess {
  privateKey: string;
  /** The known key of the host; undefined before the first connection. */
  knownHosts?: string | undefined;
  /** Called with the key of the host after the first connection. */
  onKnownHosts?(knownHosts: string): Promise<unknown>;
}

/** The reason why a repository could not be read. Users may see the message. */
export class GitError extends Error {
  override name = 'GitError';
  readonly isUnauthorized: boolean;
  constructor(message: string, { isUnauthorized = false } = {}) {
    super(message);
    this.isUnauthorized = isUnauthorized;
  }
}

/** Maximum wait for a response of the host. */
const TIME_LIMIT = 30 * SECOND;
/** For all commands of one read. */
const READ_LIMIT = 60 * SECOND;
const MAX_OUTPUT_BYTES = 16 * 1_048_576;
/** For each file that git writes. */
const MAX_DISK_BYTES = 1024 * 1_048_576;

/** A host that does not respond occupies slots of one tenant only. */
const pool = createFairPool({
  slots: 8,
  slotsPerOwner: 2,
  queue: {
    maxPerOwner: 10,
    full: () => unavailable('You have too many repository reads in progress. Retry in a moment.'),
  },
});

/** Limits of one read of a repository, over all its commands. */
export interface ReadLimits {
  /** In ms of `performance.now()`. */
  deadline?: number | undefined;
  /** Stops the read when its client closes the connection. */
  signal?: AbortSignal | undefined;
}

const basic = ({ username, password }: Remote): string =>
  `Authorization: Basic ${Buffer.from(`${username ?? 'git'}:${password ?? ''}`).toString('base64')}`;

/** Passed in the environment, because all users of the machine can see arguments. */
function environment(remote: Remote, address: string): Record<string, string> {
  const { protocol, hostname, port } = new URL(remote.url);
  const isName = hostname !== address && !hostname.startsWith('[');
  const shown = address.includes(':') ? `[${address}]` : address;
  const settings: [string, string][] = [
    // A redirect could lead to an address that was not checked.
    ['http.followRedirects', 'false'],
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['protocol.allow', 'never'],
    ...(isSsh(remote.url)
      ? ([['protocol.ssh.allow', 'always']] as [string, string][])
      : ([
          ['protocol.http.allow', 'always'],
          ['protocol.https.allow', 'always'],
        ] as [string, string][])),
    ...(isName && !isSsh(remote.url)
      ? [
          ['http.curloptResolve', `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:${shown}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(remote.password === undefined || isSsh(remote.url)
      ? []
      : [[`http.${new URL(remote.url).origin}/.extraHeader`, basic(remote)] as [string, string]]),
  ];
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: isSsh(remote.url) ? 'ssh' : 'http:https',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

interface Run {
  args: readonly string[];
  env: Record<string, string>;
  cwd?: string;
  input?: string;
  limits: ReadLimits;
}

const tooLong = (ms: number) =>
  new GitError(`The repository did not respond within ${Math.round(ms / SECOND)} s. Try again later.`);

function run(program: string, { args, env, cwd = '/', input, limits }: Run): Promise<Buffer> {
  const left = (limits.deadline ?? Number.POSITIVE_INFINITY) - performance.now();
  if (left <= 0) return Promise.reject(tooLong(READ_LIMIT));
  if (limits.signal?.aborted) return Promise.reject(canceled());
  const limiter = findProgram(['prlimit']);
  const prefix = limiter ? [limiter, `--fsize=${MAX_DISK_BYTES}`, '--core=0', '--'] : [];
  const [first = program, ...rest] = [...prefix, program, ...args];
  return new Promise((resolve, reject) => {
    // Own process group, so that git's helpers are killed too.
    const child = spawn(first, rest, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const chunks: Buffer[] = [];
    let size = 0;
    let problems = '';
    let refusal: Error | undefined;
    const stop = (error: Error) => {
      refusal ??= error;
      try {
        if (process.platform === 'win32') child.kill();
        else if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    };
    const timer = setTimeout(
      () => stop(tooLong(left < TIME_LIMIT ? READ_LIMIT : TIME_LIMIT)),
      Math.min(TIME_LIMIT, left),
    );
    const cancel = () => stop(canceled());
    limits.signal?.addEventListener('abort', cancel, { once: true });
    const end = () => {
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', cancel);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) stop(new GitError('The repository is too large for this server to read.'));
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (problems.length < 8192) problems += chunk.toString();
    });
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (code) => {
      end();
      if (refusal) reject(refusal);
      else if (code === 0) resolve(Buffer.concat(chunks));
      else reject(explain(problems));
    });
  });
}

/** Never passes on output of git, which may quote headers of the host. */
function explain(problems: string): GitError {
  if (
    /Permission denied|Authentication failed|could not read (Username|Password)|returned error: 40[13]|terminal prompts disabled/i.test(
      problems,
    )
  ) {
    return new GitError('The repository rejected the credentials, or requires credentials.', { isUnauthorized: true });
  }
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(problems)) {
    return new GitError(
      'The SSH key of the host has changed since the first connection, so the connection may be intercepted. If the change is intended, disconnect the repository and connect it again.',
    );
  }
  if (/not found|returned error: 404|does not exist/i.test(problems))
    return new GitError('There is no repository at this address. Check the URL.');
  if (/not our ref|no such remote ref|couldn't find remote ref/i.test(problems)) {
    return new GitError('The repository does not have this commit.');
  }
  if (/returned error: 30\d|redirect/i.test(problems)) {
    return new GitError('The repository has moved. Use the URL that the host redirects to.');
  }
  return new GitError("Can't read the repository. Check its URL and that its host is reachable.");
}

type Reading = Pick<Deps, 'config'>;

/** Uses only this key and this address, and accepts only the host key from the first connection. */
const sshCommand = (folder: string, { url, ssh }: Remote, address: string): string => {
  const { hostname } = new URL(url);
  const options = [
    ...['BatchMode=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none', 'ClearAllForwardings=yes', 'ConnectTimeout=15'],
    ...[`UserKnownHostsFile=${folder}/known_hosts`, 'GlobalKnownHostsFile=/dev/null', 'HashKnownHosts=no'],
    `StrictHostKeyChecking=${ssh?.knownHosts === undefined ? 'accept-new' : 'yes'}`,
    ...[`HostName=${address}`, `HostKeyAlias=${hostname}`, 'CheckHostIP=no'],
  ];
  return ['ssh', '-F', '/dev/null', '-i', `${folder}/key`, ...options.flatMap((option) => ['-o', option])].join(' ');
};

/** Runs git with a temporary key and configuration. */
async function withGit<T>(
  deps: Reading,
  remote: Remote,
  use: (git: { program: string; env: Record<string, string> }) => Promise<T>,
): Promise<T> {
  const { program, env, address } = await prepare(deps, remote);
  const { ssh } = remote;
  if (!ssh) return use({ program, env });
  if (!findProgram(['ssh'])) throw unavailable('ssh is not installed on this server. Connect the repository by HTTPS.');
  const folder = await mkdtemp(path.join(tmpdir(), 'mooring-ssh-'));
  try {
    const known = path.join(folder, 'known_hosts');
    await writeFile(path.join(folder, 'key'), ssh.privateKey, { mode: 0o600 });
    await writeFile(known, ssh.knownHosts ?? '', { mode: 0o600 });
    const result = await use({ program, env: { ...env, GIT_SSH_COMMAND: sshCommand(folder, remote, address) } });
    const learned = await readFile(known, 'utf8');
    if (ssh.knownHosts === undefined && learned !== '') await ssh.onKnownHosts?.(learned.slice(0, 16_384));
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare({ config }: Reading, remote: Remote) {
  const program = findProgram(['git']);
  if (!program)
    throw unavailable("Can't read repositories: git is not installed on this server. Ask its operator to install it.");
  const host = new URL(remote.url).hostname.replace(/^\[|\]$/g, '');
  const [address = ''] = await reachableAddresses(host, config.outboundAllow).catch((error: unknown) => {
    throw error instanceof OutboundError ? new GitError(error.message) : error;
  });
  return { program, address, env: environment(remote, address) };
}

export interface Head {
  branch: string;
  sha: string;
}

/** The deadline starts with the first command, not in the queue. */
const startLimits = ({ deadline, signal }: ReadLimits): ReadLimits => ({
  deadline: Math.min(deadline ?? Number.POSITIVE_INFINITY, performance.now() + READ_LIMIT),
  signal,
});

export const readHeads = (deps: Reading, remote: Remote, readLimits: ReadLimits = {}): Promise<Head[]> =>
  pool(
    workOwner(deps),
    async () => {
      const limits = startLimits(readLimits);
      const printed = await withGit(deps, remote, ({ program, env }) =>
        run(program, { args: ['ls-remote', '--heads', '--', remote.url], env, limits }),
      );
      return printed
        .toString()
        .split('\n')
        .flatMap((line) => {
          const [, sha, branch] = /^([0-9a-f]{40})\trefs\/heads\/(.+)$/.exec(line) ?? [];
          return sha && branch ? [{ sha, branch }] : [];
        });
    },
    readLimits,
  );

/** Commits without their history, in a folder that is removed afterwards. */
export interface Sources {
  git(...args: string[]): Promise<string>;
  listFiles(sha: string): Promise<{ path: string; blob: string }[]>;
  /** Contents by blob, cut to `maxBytes`. Fetches and reads all of them with one command each. */
  readBlobs(blobs: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string>>;
}

/** Parses `git ls-tree -r -z`, without submodules and symbolic links. */
const toFiles = (printed: string): { path: string; blob: string }[] =>
  printed.split('\0').flatMap((line) => {
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s.exec(line) ?? [];
    return blob && path ? [{ blob, path }] : [];
  });

/** Parses `git cat-file --batch`: a line `<id> blob <size>`, the content and a line end. */
function toContents(printed: Buffer, maxBytes: number): Map<string, string> {
  const contents = new Map<string, string>();
  for (let at = 0; at < printed.length; ) {
    const lineEnd = printed.indexOf(10, at);
    if (lineEnd < 0) break;
    const [, blob, size] = /^(\w+) blob (\d+)$/.exec(printed.toString('latin1', at, lineEnd)) ?? [];
    at = lineEnd + 1;
    if (blob === undefined) continue;
    contents.set(blob, printed.toString('utf8', at, at + Math.min(Number(size), maxBytes)));
    at += Number(size) + 1;
  }
  return contents;
}

/** Fetches blobs that a filter omitted, as git itself does, but many with one request. */
const FETCH_BLOBS = [
  ...['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head'],
  ...['--recurse-submodules=no', '--filter=blob:none', '--stdin', 'origin'],
];
/** Project files are smaller. */
const MAX_BLOB_BYTES = 1_048_576;

/** `filter` selects objects to omit until they are needed. */
export const withCommits = <T>(
  deps: Reading,
  remote: Remote,
  { shas, filter, ...readLimits }: { shas: readonly string[]; filter: 'tree:0' | 'blob:none' } & ReadLimits,
  read: (sources: Sources) => Promise<T>,
): Promise<T> =>
  pool(
    workOwner(deps),
    () => {
      const limits = startLimits(readLimits);
      return withGit(deps, remote, async ({ program, env }) => {
        const folder = await mkdtemp(path.join(tmpdir(), 'mooring-git-'));
        const pipe = (input: string, ...args: string[]) => run(program, { args, env, cwd: folder, input, limits });
        const git = async (...args: string[]) => (await pipe('', ...args)).toString('utf8');
        try {
          await git('init', '--quiet', '--bare', '.');
          await git('remote', 'add', 'origin', remote.url);
          await git('fetch', '--quiet', '--depth=1', `--filter=${filter}`, '--no-tags', 'origin', ...shas);
          return await read({
            git,
            listFiles: async (sha) => toFiles(await git('ls-tree', '-r', '-z', sha)),
            async readBlobs(blobs, maxBytes) {
              if (blobs.length === 0) return new Map();
              const lines = `${[...new Set(blobs)].join('\n')}\n`;
              await pipe(lines, ...FETCH_BLOBS);
              const sizes = (await pipe(lines, 'cat-file', '--batch-check')).toString().split('\n');
              const small = sizes.filter((line) => Number(line.split(' ')[2]) <= MAX_BLOB_BYTES);
              const ids = small.map((line) => `${line.split(' ')[0]}\n`).join('');
              return toContents(await pipe(ids, 'cat-file', '--batch'), maxBytes);
            },
          });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      });
    },
    readLimits,
  );
