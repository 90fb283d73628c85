import { runProcess } from './processes.ts';
import type { Work } from './stages/index.ts';

export class CheckoutFailed extends Error {
  override name = 'CheckoutFailed';
}

/** Credentials go by the environment: neither arguments nor the folder of the sources ever hold them. */
function settingsOf({ username, password }: Work['repository']): Record<string, string> {
  const pair = Buffer.from(`${username ?? 'git'}:${password ?? ''}`).toString('base64');
  const settings = [
    ['credential.helper', ''],
    ['core.hooksPath', '/dev/null'],
    ['protocol.allow', 'never'],
    ['protocol.http.allow', 'always'],
    ['protocol.https.allow', 'always'],
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

export interface Checkout {
  work: Work;
  folder: string;
  env: Record<string, string>;
  signal: AbortSignal;
  onOutput(text: string): void;
}

/** The one commit that is built, without its history, with its submodules. */
export async function checkOut({
  work: { repository, build },
  folder,
  env,
  signal,
  onOutput,
}: Checkout): Promise<void> {
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
