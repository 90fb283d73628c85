import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Handover, HandoverWork, handovers } from '@mooring/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { removeFolder } from '../files/remove-folder.ts';
import type { Limits } from '../sandbox/limits.ts';
import { runProcess } from '../sandbox/processes.ts';
import { toolEnvironment } from '../tools/tool-environment.ts';

export type HandoverInput = Static<typeof HandoverWork>;

export const parseHandover = (work: unknown): HandoverInput => Value.Parse(HandoverWork, work);

/** Lists the values to mask in the log. */
export const listHandoverSecrets = ({ credentials = {} }: HandoverInput): string[] => Object.values(credentials);

/** Finds the commands that the operator of the runner has configured. */
export function findCommands(env: Record<string, string | undefined>): Map<Handover, string> {
  const all = Object.entries(handovers) as [Handover, { variable: string }][];
  return new Map(
    all.flatMap(([handover, { variable }]) => {
      const command = env[variable]?.trim();
      return command ? [[handover, command] as const] : [];
    }),
  );
}

export interface HandoverOptions {
  /** Parent of the job's folder. */
  folder: string;
  command: string | undefined;
  limits?: Limits | undefined;
  signal: AbortSignal;
  write(text: string): void;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
  /** Uploads the resulting package. */
  upload(file: { name: string; file: string }): Promise<void>;
}

export interface HandoverOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
}

class HandoverFailed extends Error {
  override name = 'HandoverFailed';
}

const MINUTE = 60_000;

/** Reduces a name to a file name, so that the package stays in the folder of its job. */
const toFileName = (name: string): string => path.basename(name.replaceAll('\\', '/')).replace(/^\.+/, '') || 'package';

async function fetchPackage(
  { package: requested }: HandoverInput,
  folder: string,
  options: HandoverOptions,
): Promise<string> {
  const file = path.join(folder, toFileName(requested.name));
  const hash = createHash('sha256');
  await pipeline(
    await options.fetch(requested.id),
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    { signal: options.signal },
  );
  if (hash.digest('hex') !== requested.sha256)
    throw new HandoverFailed('The package is corrupt: its checksum differs from the server.');
  return file;
}

/** Runs the operator's command on a package, in a new folder, which is removed afterwards. */
export async function runHandover(work: HandoverInput, options: HandoverOptions): Promise<HandoverOutcome> {
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const timeout = AbortSignal.timeout(work.minutes * MINUTE);
  try {
    await attempt(work, job, { ...options, signal: AbortSignal.any([options.signal, timeout]) });
    return { result: 'succeeded' };
  } catch (error) {
    if (options.signal.aborted) return { result: 'canceled' };
    const reason = timeout.aborted
      ? `The command exceeded its time limit of ${work.minutes} minutes.`
      : error instanceof HandoverFailed
        ? error.message
        : `The runner failed: ${(error as Error).message}`;
    options.write(`\n## ${reason}\n`);
    return { result: 'failed', reason: reason.slice(0, 1000) };
  } finally {
    await removeFolder(job);
  }
}

async function attempt(work: HandoverInput, job: string, options: HandoverOptions): Promise<void> {
  const { command, signal, limits, write } = options;
  const { what, facts, credentials } = work;
  if (!command)
    throw new HandoverFailed(`This runner has no command for ${what}. Set ${handovers[what].variable} on the runner.`);
  const [input, output] = [path.join(job, 'package'), path.join(job, 'output')];
  for (const folder of [input, output]) await mkdir(folder);
  write(`== Package ${work.package.name}, ${work.package.size} bytes\n`);
  const file = await fetchPackage(work, input, options);
  const secret = { mode: 0o600 };
  const inputs = { facts: path.join(job, 'facts.json'), credentials: path.join(job, 'credentials.json') };
  await writeFile(inputs.facts, `${JSON.stringify(facts, null, 2)}\n`, secret);
  if (credentials) await writeFile(inputs.credentials, `${JSON.stringify(credentials, null, 2)}\n`, secret);
  write(`== Command for ${what}\n`);
  let exceeded: string | undefined;
  const code = await runProcess({
    command: ['bash', '-c', command],
    cwd: job,
    // The command is trusted and needs the user's home folder, which contains keys.
    env: {
      ...toolEnvironment(),
      HOME: process.env.HOME ?? job,
      MOORING_HANDOVER: what,
      MOORING_APP: `${facts.app.owner}/${facts.app.name}`,
      MOORING_PACKAGE: file,
      MOORING_OUTPUT: output,
      MOORING_FACTS: inputs.facts,
      ...(credentials ? { MOORING_CREDENTIALS: inputs.credentials } : {}),
      ...(facts.store?.track ? { MOORING_TRACK: facts.store.track } : {}),
    },
    signal,
    mark: job,
    limits,
    onExceeded: (reason) => {
      exceeded = reason;
    },
    onOutput: write,
  });
  if (exceeded !== undefined) throw new HandoverFailed(`The command was killed. ${exceeded}`);
  signal.throwIfAborted();
  if (code !== 0)
    throw new HandoverFailed(`The command for ${what} failed with exit code ${code}. See its log for the reason.`);
  if (what === 'resign-apple') await uploadSigned(output, options);
}

async function uploadSigned(output: string, { upload, write, signal }: HandoverOptions): Promise<void> {
  const names = (await readdir(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.ipa$/i.test(entry.name))
    .map(({ name }) => name);
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) {
    throw new HandoverFailed(`The command must write one .ipa to $MOORING_OUTPUT, but it wrote ${names.length}.`);
  }
  write(`== ${name}\n`);
  await upload({ name, file: path.join(output, name) }).catch((error: Error) => {
    throw signal.aborted ? error : new HandoverFailed(`Can't store ${name}. ${error.message}`);
  });
}
