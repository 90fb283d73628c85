import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Limits } from '../sandbox/limits.ts';
import { runProcess } from '../sandbox/processes.ts';
import type { Work } from './stages/index.ts';

export class CheckoutFailed extends Error {
  override name = 'CheckoutFailed';
}

/** URL schemes that git may use. ssh requires a deploy key, as no other credentials exist for it. */
const allowedSchemes = ({ deployKey }: Work['repository']): string[] => [
  'http',
  'https',
  ...(deployKey === undefined ? [] : ['ssh']),
];

/**
 * Passes credentials in the environment, never in arguments or the folder of the sources. Git sends the header only to the
 * origin of the repository, so submodules on other hosts or ports get none. Redirects are refused, because git would keep
 * sending the header of the first URL.
 */
function gitSettings(repository: Work['repository']): [string, string][] {
  const { url, username, password } = repository;
  const settings: [string, string][] = [
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['http.followRedirects', 'initial'],
    ['protocol.allow', 'never'],
    ...allowedSchemes(repository).map((scheme): [string, string] => [`protocol.${scheme}.allow`, 'always']),
  ];
  if (password !== undefined && /^https?:/.test(url)) {
    const origin = `http.${new URL(url).origin}/`;
    const pair = Buffer.from(`${username ?? 'git'}:${password}`).toString('base64');
    settings.push([`${origin}.followRedirects`, 'false'], [`${origin}.extraHeader`, `Authorization: Basic ${pair}`]);
  }
  return settings;
}

const toEnvironment = (settings: [string, string][]): Record<string, string> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

/** A script that runs ssh with the deploy key, but only for the host, user and port of the repository. */
function sshScript(folder: string, { url, knownHosts = '' }: Work['repository']): string {
  const { username, hostname, port } = new URL(url);
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = [
    ...['BatchMode=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none', 'ClearAllForwardings=yes'],
    ...[`UserKnownHostsFile="${folder}/known_hosts"`, 'GlobalKnownHostsFile=/dev/null'],
    `StrictHostKeyChecking=${knownHosts === '' ? 'accept-new' : 'yes'}`,
    'SendEnv=GIT_PROTOCOL',
  ].flatMap((option) => ['-o', option]);
  const target = `${username || 'git'}@${hostname}`;
  // Git passes the options, the target and the command in this order.
  return `#!/bin/sh
port=22
target=
command=
while [ $# -gt 0 ]; do
  case $1 in
    -p) port=$2; shift ;;
    -o) shift ;;
    -*) ;;
    *) if [ -z "$target" ]; then target=$1; else command=$1; fi ;;
  esac
  shift
done
if [ "$target" != ${quote(target)} ] || [ "$port" != ${quote(port || '22')} ]; then
  echo "The deploy key works only for ${target}, port ${port || '22'}. Use an https URL for this submodule." >&2
  exit 1
fi
exec ssh -F /dev/null -i ${[`${folder}/key`, ...options].map(quote).join(' ')} -p "$port" -- "$target" "$command"
`;
}

/** Stores the key outside the folder of the job, so that the build can't read it, and removes it before the first stage. */
async function withSsh<T>(
  repository: Work['repository'],
  parent: string,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { deployKey, knownHosts = '' } = repository;
  if (deployKey === undefined) return use({});
  const folder = await mkdtemp(path.join(parent, 'key-'));
  try {
    await writeFile(path.join(folder, 'key'), deployKey, { mode: 0o600 });
    await writeFile(path.join(folder, 'known_hosts'), knownHosts, { mode: 0o600 });
    await writeFile(path.join(folder, 'ssh'), sshScript(folder, repository), { mode: 0o700 });
    return await use({ GIT_SSH_COMMAND: `sh '${folder}/ssh'`, GIT_SSH_VARIANT: 'ssh' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Checkout {
  work: Work;
  folder: string;
  env: Record<string, string>;
  limits?: Limits | undefined;
  signal: AbortSignal;
  onOutput(text: string): void;
}

/** The server has validated these values. A value that starts with a dash would be an option of git. */
function rejectOptions({ repository: { url }, build: { commit, branch } }: Work): void {
  if (!/^(https?|ssh):\/\//.test(url))
    throw new CheckoutFailed('Invalid repository URL: it must use http, https or ssh.');
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new CheckoutFailed('Invalid commit hash.');
  if (branch.startsWith('-')) throw new CheckoutFailed('Invalid branch name: it starts with a dash.');
}

const MAX_READ_OUTPUT = 8192;

/** Adds the cause to errors that git doesn't explain. */
function explain(output: string): string {
  if (/returned error: 30\d|redirect/i.test(output)) {
    return ' The host redirects to another URL, and credentials are not sent there. Use the other URL for the repository or submodule.';
  }
  if (/transport '\w+' not allowed/i.test(output)) return ' Submodules must use https, http or the deploy key.';
  return '';
}

/** Checks out the commit of the build without history, including submodules. */
export const checkOut = (checkout: Checkout): Promise<void> =>
  withSsh(checkout.work.repository, path.dirname(path.dirname(checkout.folder)), (ssh) =>
    fetchCommit({ ...checkout, env: { ...checkout.env, ...ssh } }),
  );

async function fetchCommit({ work, folder, env, limits, signal, onOutput }: Checkout): Promise<void> {
  const { repository, build } = work;
  rejectOptions(work);
  const withCredentials = {
    ...env,
    ...toEnvironment(gitSettings(repository)),
    GIT_ALLOW_PROTOCOL: allowedSchemes(repository).join(':'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
  };
  const git = async (...args: string[]) => {
    onOutput(`$ git ${args.join(' ')}\n`);
    let exceeded: string | undefined;
    let output = '';
    const code = await runProcess({
      command: ['git', ...args],
      cwd: folder,
      env: withCredentials,
      signal,
      limits,
      onExceeded(reason) {
        exceeded = reason;
      },
      onOutput(text) {
        output = (output + text).slice(-MAX_READ_OUTPUT);
        onOutput(text);
      },
    });
    if (exceeded !== undefined) throw new CheckoutFailed(`git ${args[0]} was killed. ${exceeded}`);
    if (code !== 0) throw new CheckoutFailed(`git ${args[0]} failed with exit code ${code}.${explain(output)}`);
  };
  await git('init', '--quiet', '.');
  await git('remote', 'add', 'origin', repository.url);
  await git('fetch', '--quiet', '--depth=1', '--no-tags', 'origin', build.commit);
  await git('checkout', '--quiet', '-B', build.branch, 'FETCH_HEAD', '--');
  await git('submodule', '--quiet', 'update', '--init', '--recursive', '--depth=1');
}
