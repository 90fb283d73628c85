import { spawn } from 'node:child_process';
import type { Environment } from './environment.ts';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** Shows a page in the browser, if there is one; whoever asks prints the url too. */
export function openInBrowser(url: string, env: Environment): void {
  const program = env.BROWSER || openers[process.platform] || 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
