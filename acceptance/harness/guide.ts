import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { launcher, runWarmMooring } from './mooring.ts';

const root = path.join(import.meta.dirname, '../..');

/** The blocks marked `sh` of a document, in order: these are the lines that a reader copies. */
export function readShellBlocks(document: string): string[] {
  const source = readFileSync(path.join(root, document), 'utf8');
  return [...source.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block.replaceAll(/^ {3}/gm, ''));
}

/** Sends a command to this process, which keeps the command line loaded; starting it each time takes a second. */
const mooringShim = `#!/usr/bin/env bash
call=$(mktemp -d "$GUIDE_CALLS/XXXXXX")
printf '%s\\0' "$@" >"$call/args"
env -0 >"$call/env"
cat >"$call/input"
curl --silent --fail --unix-socket "$GUIDE_SOCKET" --data-binary "$call" http://guide/ >"$call/sent" || exit 125
cat "$call/stderr" >&2
cat "$call/stdout"
exit "$(cat "$call/code")"
`;

/** Commands that run until Ctrl-C are stopped once they have printed something; a server, once it is ready. */
const followingShim = `#!/usr/bin/env bash
for arg in "$@"; do
  case "$arg" in watch|--follow) expected=. signal=INT;; serve) expected='Sign in' signal=TERM;; esac
done
[ "\${expected-}" ] || exec "$GUIDE_BIN/mooring-once" "$@"
output=$(mktemp "$GUIDE_CALLS/XXXXXX")
"$GUIDE_NODE" "$GUIDE_LAUNCHER" "$@" >"$output" 2>&1 &
for _ in $(seq 600); do
  grep -q "$expected" "$output" && break
  sleep 0.1
done
kill -$signal $!
wait $!
cat "$output"
grep -q "$expected" "$output"
`;

const programShim = (file: string): string => `#!/bin/sh\nexec "$GUIDE_NODE" '${file}' "$@"\n`;

/** Replaces a program that can't run in a test, and records its calls. */
const recordingShim = (name: string): string => `#!/bin/sh\necho "${name} $*" >>"$GUIDE_RECORD"\n`;

export interface GuideOptions {
  /** Working folder of the lines; it must exist. */
  folder: string;
  env: Record<string, string>;
  /** Programs that can't run in a test; their calls are recorded instead. */
  recorded?: readonly string[];
  /** JavaScript files of further programs, by the name of the command. */
  programs?: Readonly<Record<string, string>>;
}

export interface GuideShell {
  /** Runs lines in bash and resolves to their output; fails with the first line that fails. */
  run(lines: string): Promise<string>;
  /** Calls of programs that were recorded. */
  recorded(): string[];
  stop(): Promise<void>;
}

const readList = (file: string): string[] => readFileSync(file, 'utf8').split('\0').slice(0, -1);

const readEnv = (file: string): Record<string, string> =>
  Object.fromEntries(readList(file).map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));

async function answerCall(call: string): Promise<void> {
  const env = readEnv(path.join(call, 'env'));
  const input = readFileSync(path.join(call, 'input'), 'utf8');
  const { code, stdout, stderr } = await runWarmMooring(readList(path.join(call, 'args')), env, input);
  for (const [name, content] of Object.entries({ code: String(code), stdout, stderr }))
    writeFileSync(path.join(call, name), content);
}

/** A shell with `mooring` on its path. Exported variables last from one call to the next, as in a reader's terminal. */
export async function openGuideShell({ folder, env, recorded = [], programs = {} }: GuideOptions): Promise<GuideShell> {
  const own = path.join(folder, '.guide');
  const bin = path.join(own, 'bin');
  const calls = path.join(own, 'calls');
  for (const each of [bin, calls]) mkdirSync(each, { recursive: true });
  const record = path.join(own, 'record');
  writeFileSync(record, '');
  const scripts = {
    'mooring-once': mooringShim,
    mooring: followingShim,
    ...Object.fromEntries(recorded.map((name) => [name, recordingShim(name)])),
    ...Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, programShim(file)])),
  };
  for (const [name, script] of Object.entries(scripts)) writeFileSync(path.join(bin, name), script, { mode: 0o755 });
  const socket = path.join(own, 'socket');
  const server = createServer(async (request, response) => {
    const call = await text(request);
    await answerCall(call).then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(socket);
  await once(server, 'listening');
  const variables = path.join(own, 'variables');
  const shellEnv = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    GUIDE_BIN: bin,
    GUIDE_CALLS: calls,
    GUIDE_RECORD: record,
    GUIDE_SOCKET: socket,
    GUIDE_NODE: process.execPath,
    GUIDE_LAUNCHER: launcher,
    ...env,
  };
  return {
    async run(lines) {
      const before = existsSync(variables) ? `. ${variables}\n` : '';
      const script = `trap 'echo "This line failed: $BASH_COMMAND" >&2' ERR\n${before}${lines}\nexport -p >${variables}\n`;
      const child = spawn('bash', ['-Eeuo', 'pipefail', '-c', script], {
        cwd: folder,
        env: shellEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      if (child.exitCode !== 0) throw new Error(`${lines}\nexited with ${child.exitCode}:\n${stdout}${stderr}`);
      return stdout + stderr;
    },
    recorded: () => readFileSync(record, 'utf8').split('\n').slice(0, -1),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Fills in what a reader replaces: the longest placeholders first, as they may contain others. */
export const fillPlaceholders = (lines: string, values: Record<string, string>): string =>
  Object.entries(values)
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value), lines);
