import { spawn } from 'node:child_process';
import type { Environment } from '../environment.ts';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** Opens a page in the browser, if the machine has one. Callers print the URL as well. */
export function openInBrowser(url: string, env: Environment): void {
  const program = env.BROWSER || openers[process.platform] || 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
