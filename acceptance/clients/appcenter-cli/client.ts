import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningServer } from '../../harness/server.ts';

const launcher = path.join(import.meta.dirname, 'node_modules/appcenter-cli/bin/appcenter.js');

export interface Printed {
  exit: number | null;
  stdout: string;
  stderr: string;
}

export interface Call {
  answers?: string;
  env?: Record<string, string>;
}

/** Splits as a shell does, as far as these tests need it: at spaces, unless they are in double quotes. */
const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

/** The unmodified client with a home folder of its own, pointed at the server as its documentation says. */
export function clientAt(server: RunningServer, home: string) {
  const bin = path.join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  // It asks the desktop to open a browser when one signs in without a token.
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$1" >>"$HOME/opened"\n`);
  }
  for (const name of readdirSync(bin)) chmodSync(path.join(bin, name), 0o755);
  // Some of its commands start others.
  symlinkSync(process.execPath, path.join(bin, 'node'));
  return async (line: string, { answers = '', env = {} }: Call = {}): Promise<Printed> => {
    const child = spawn(process.execPath, [launcher, ...wordsOf(line)], {
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
    child.stdin.on('error', () => {}).end(answers);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { exit: child.exitCode, stdout, stderr };
  };
}
