import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProcess } from './processes.ts';
import type { Work } from './stages/index.ts';

export class CheckoutFailed extends Error {
  override name = 'CheckoutFailed';
}

/** Credentials go by the environment: neither arguments nor the folder of the sources ever hold them. */
function settingsOf({ username, password, deployKey }: Work['repository']): Record<string, string> {
  const pair = Buffer.from(`${username ?? 'git'}:${password ?? ''}`).toString('base64');
  const settings = [
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['protocol.allow', 'never'],
    ['protocol.http.allow', 'always'],
    ['protocol.https.allow', 'always'],
    ...(deployKey === undefined ? [] : [['protocol.ssh.allow', 'always']]),
    ...(password === undefined ? [] : [['http.extraHeader', `Authorization: Basic ${pair}`]]),
  ];
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key = '', value = ''], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

/** Beside the folder of the job: nothing of the build sees it, and it is gone before the first stage. */
async function withSsh<T>(
  { deployKey, knownHosts = '' }: Work['repository'],
  beside: string,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (deployKey === undefined) return use({});
  const folder = await mkdtemp(path.join(beside, 'key-'));
  try {
    await writeFile(path.join(folder, 'key'), deployKey, { mode: 0o600 });
    await writeFile(path.join(folder, 'known_hosts'), knownHosts, { mode: 0o600 });
    const options = [
      ...['BatchMode=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none', 'ClearAllForwardings=yes'],
      ...[`UserKnownHostsFile="${folder}/known_hosts"`, 'GlobalKnownHostsFile=/dev/null'],
      `StrictHostKeyChecking=${knownHosts === '' ? 'accept-new' : 'yes'}`,
    ];
    const quoted = [`${folder}/key`, ...options.flatMap((option) => ['-o', option])].map((word) => `'${word}'`);
    return await use({ GIT_SSH_COMMAND: `ssh -F /dev/null -i ${quoted.join(' ')}` });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Checkout {
  work: Work;
  folder: string;
  env: Record<string, string>;
  signal: AbortSignal;
  onOutput(text: string): void;
}

/** The one commit that is built, without its history, with its submodules. */
export const checkOut = (checkout: Checkout): Promise<void> =>
  withSsh(checkout.work.repository, path.dirname(path.dirname(checkout.folder)), (ssh) =>
    fetchCommit({ ...checkout, env: { ...checkout.env, ...ssh } }),
  );

async function fetchCommit({ work: { repository, build }, folder, env, signal, onOutput }: Checkout): Promise<void> {
  const withCredentials = {
    ...env,
    ...settingsOf(repository),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
  const git = async (...args: string[]) => {
    onOutput(`$ git ${args.join(' ')}\n`);
    const code = await runProcess({ command: ['git', ...args], cwd: folder, env: withCredentials, signal, onOutput });
    if (code !== 0) throw new CheckoutFailed(`git ${args[0]} failed with ${code}.`);
  };
  await git('init', '--quiet', '.');
  await git('remote', 'add', 'origin', repository.url);
  await git('fetch', '--quiet', '--depth=1', '--no-tags', 'origin', build.commit);
  await git('checkout', '--quiet', '-B', build.branch, 'FETCH_HEAD', '--');
  await git('submodule', '--quiet', 'update', '--init', '--recursive', '--depth=1');
}
