import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Deps } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { reachableAddresses } from '../../outbound/reachable.ts';
import { findProgram } from '../../workers/index.ts';
import { isSsh } from './repository-urls.ts';

export interface Remote {
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  ssh?: SshAccess | undefined;
}

export interface SshAccess {
  privateKey: string;
  /** As whom its host has shown itself; nobody was there yet without. */
  knownHosts?: string | undefined;
  /** Told when it shows itself for the first time. */
  onKnownHosts?(knownHosts: string): Promise<unknown>;
}

/** Why a repository could not be read; the message may be shown. */
export class GitError extends Error {
  override name = 'GitError';
  readonly isUnauthorized: boolean;
  constructor(message: string, { isUnauthorized = false } = {}) {
    super(message);
    this.isUnauthorized = isUnauthorized;
  }
}

const TIME_LIMIT = 30 * SECOND;
const MOST_OUTPUT = 16 * 1_048_576;
/** Of each file that git writes. */
const MOST_ON_DISK = 1024 * 1_048_576;

const atATime = createSemaphore(4, {
  longest: 50,
  full: () => unavailable('Too many repositories are being read just now; try again in a moment.'),
});

const basic = ({ username, password }: Remote): string =>
  `Authorization: Basic ${Buffer.from(`${username ?? 'git'}:${password ?? ''}`).toString('base64')}`;

/** Settings go by the environment: arguments are seen by every user of the machine. */
function environment(remote: Remote, address: string): Record<string, string> {
  const { protocol, hostname, port } = new URL(remote.url);
  const isName = hostname !== address && !hostname.startsWith('[');
  const shown = address.includes(':') ? `[${address}]` : address;
  const settings: [string, string][] = [
    // A redirect could lead to where nobody has looked.
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
}

function run(program: string, { args, env, cwd = '/' }: Run): Promise<string> {
  const limiter = findProgram(['prlimit']);
  const limits = limiter ? [limiter, `--fsize=${MOST_ON_DISK}`, '--core=0', '--'] : [];
  const [first = program, ...rest] = [...limits, program, ...args];
  return new Promise((resolve, reject) => {
    // A group of its own: git has helpers, which end with it.
    const child = spawn(first, rest, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let problems = '';
    let refusal: GitError | undefined;
    const stop = (error: GitError) => {
      refusal ??= error;
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(
      () => stop(new GitError(`The repository did not answer within ${TIME_LIMIT / SECOND} s.`)),
      TIME_LIMIT,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_OUTPUT) stop(new GitError('The repository is larger than this server reads.'));
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (problems.length < 8192) problems += chunk.toString();
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (refusal) reject(refusal);
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(explain(problems));
    });
  });
}

/** In our words: what git says may quote headers of the host. */
function explain(problems: string): GitError {
  if (
    /Permission denied|Authentication failed|could not read (Username|Password)|returned error: 40[13]|terminal prompts disabled/i.test(
      problems,
    )
  ) {
    return new GitError('The repository refuses these credentials, or needs some.', { isUnauthorized: true });
  }
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(problems)) {
    return new GitError(
      'The host has another key than the first time: somebody may be in between. If it was changed on purpose, disconnect the repository and connect it again.',
    );
  }
  if (/not found|returned error: 404|does not exist/i.test(problems))
    return new GitError('There is no such repository at this address.');
  if (/not our ref|no such remote ref|couldn't find remote ref/i.test(problems)) {
    return new GitError('The repository does not have this commit.');
  }
  if (/returned error: 30\d|redirect/i.test(problems)) {
    return new GitError('The repository has moved: use the address that the host redirects to.');
  }
  return new GitError('The repository cannot be read.');
}

type Reading = Pick<Deps, 'config'>;

/** With this key alone, to this address alone, and to whoever has shown the same key as the first time. */
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

/** Git with what it needs for a repository; nothing of it is left then. */
async function withGit<T>(
  deps: Reading,
  remote: Remote,
  use: (git: { program: string; env: Record<string, string> }) => Promise<T>,
): Promise<T> {
  const { program, env, address } = await prepare(deps, remote);
  const { ssh } = remote;
  if (!ssh) return use({ program, env });
  if (!findProgram(['ssh'])) throw unavailable('ssh is not installed on this server; connect the repository by https.');
  const folder = await mkdtemp(path.join(tmpdir(), 'mooring-ssh-'));
  try {
    const known = path.join(folder, 'known_hosts');
    await writeFile(path.join(folder, 'key'), ssh.privateKey, { mode: 0o600 });
    await writeFile(known, ssh.knownHosts ?? '', { mode: 0o600 });
    const answer = await use({ program, env: { ...env, GIT_SSH_COMMAND: sshCommand(folder, remote, address) } });
    const learned = await readFile(known, 'utf8');
    if (ssh.knownHosts === undefined && learned !== '') await ssh.onKnownHosts?.(learned.slice(0, 16_384));
    return answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare({ config }: Reading, remote: Remote) {
  const program = findProgram(['git']);
  if (!program) throw unavailable('git is not installed on this server, so that repositories cannot be read.');
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

export const readHeads = (deps: Reading, remote: Remote): Promise<Head[]> =>
  atATime(async () => {
    const printed = await withGit(deps, remote, ({ program, env }) =>
      run(program, { args: ['ls-remote', '--heads', '--', remote.url], env }),
    );
    return printed.split('\n').flatMap((line) => {
      const [, sha, branch] = /^([0-9a-f]{40})\trefs\/heads\/(.+)$/.exec(line) ?? [];
      return sha && branch ? [{ sha, branch }] : [];
    });
  });

/** Commits without their history, in a folder that is removed afterwards. */
export interface Sources {
  git(...args: string[]): Promise<string>;
}

/** `filter`: what is left out until it is asked for. */
export const withCommits = <T>(
  deps: Reading,
  remote: Remote,
  { shas, filter }: { shas: readonly string[]; filter: 'tree:0' | 'blob:none' },
  read: (sources: Sources) => Promise<T>,
): Promise<T> =>
  atATime(() =>
    withGit(deps, remote, async ({ program, env }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'mooring-git-'));
      const git = (...args: string[]) => run(program, { args, env, cwd: folder });
      try {
        await git('init', '--quiet', '--bare', '.');
        await git('remote', 'add', 'origin', remote.url);
        await git('fetch', '--quiet', '--depth=1', `--filter=${filter}`, '--no-tags', 'origin', ...shas);
        return await read({ git });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
  );
