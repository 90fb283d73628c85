import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import type { RunningServer } from '../../harness/server.ts';

const launcher = path.join(import.meta.dirname, 'node_modules/appcenter-cli/bin/appcenter.js');

export interface Printed {
  exit: number | null;
  stdout: string;
  stderr: string;
}

export interface Call {
  answers?: string;
  /** In a terminal: expected prompts, and the keys to press then. */
  dialog?: readonly (readonly [createRequest: string, keys: string])[];
  env?: Record<string, string>;
}

/** Splits arguments like a shell, as far as these tests need it: at spaces outside of double quotes. */
const splitArgs = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

/** Runs in a pseudo-terminal of `script`, which every Debian and macOS has. */
const inTerminal = (commandArgs: readonly string[]): string[] =>
  process.platform === 'darwin'
    ? ['/usr/bin/script', '-q', '/dev/null', ...commandArgs]
    : [
        '/usr/bin/script',
        '-qfec',
        commandArgs.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' '),
        '/dev/null',
      ];

/** Answers each prompt once it appears. */
function pressKeys(child: ChildProcessWithoutNullStreams, dialog: NonNullable<Call['dialog']>): void {
  const left = [...dialog];
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += stripVTControlCharacters(String(chunk));
    const [next] = left;
    if (!next || !printed.includes(next[0])) return;
    left.shift();
    printed = '';
    child.stdin.write(next[1]);
  });
}

/** The unmodified client with its own home folder, configured for the server as its documentation says. */
export function clientAt(server: RunningServer, home: string) {
  const bin = path.join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  // It opens a browser when a user signs in without a token.
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$1" >>"$HOME/opened"\n`);
  }
  for (const name of readdirSync(bin)) chmodSync(path.join(bin, name), 0o755);
  // Some commands start child processes.
  symlinkSync(process.execPath, path.join(bin, 'node'));
  return async (line: string, { answers = '', dialog, env = {} }: Call = {}): Promise<Printed> => {
    const commandArgs = [process.execPath, launcher, ...splitArgs(line)];
    const [program = '', ...args] = dialog ? inTerminal(commandArgs) : commandArgs;
    const child = spawn(program, args, {
      cwd: home,
      env: {
        PATH: bin,
        HOME: home,
        APPCENTER_ENDPOINT: server.httpsUrl,
        APPCENTER_PORTAL_ENDPOINT: server.httpsUrl,
        NODE_EXTRA_CA_CERTS: server.caFile,
        NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/node'),
        MOBILE_CENTER_TELEMETRY: 'off',
        NO_UPDATE_NOTIFIER: '1',
        CLI_WIDTH: '200',
        ...env,
      },
    });
    child.stdin.on('error', () => {});
    if (dialog) pressKeys(child, dialog);
    else child.stdin.end(answers);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { exit: child.exitCode, stdout, stderr };
  };
}
