import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Handover, HandoverWork, handovers } from '@mooring/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Limits } from './limits.ts';
import { runProcess } from './processes.ts';
import { removeFolder } from './remove-folder.ts';
import { toolEnvironment } from './tool-environment.ts';

export type HandedOver = Static<typeof HandoverWork>;

export const readHandover = (work: unknown): HandedOver => Value.Parse(HandoverWork, work);

/** Whatever it signs in with must not be printed. */
export const secretsOfHandover = ({ credentials = {} }: HandedOver): string[] => Object.values(credentials);

/** Commands that whoever runs this runner has named, by what they do. */
export function findCommands(env: Record<string, string | undefined>): Map<Handover, string> {
  const all = Object.entries(handovers) as [Handover, { variable: string }][];
  return new Map(
    all.flatMap(([what, { variable }]) => {
      const command = env[variable]?.trim();
      return command ? [[what, command] as const] : [];
    }),
  );
}

export interface HandoverOptions {
  /** In which the folder of the job is made. */
  folder: string;
  command: string | undefined;
  limits?: Limits | undefined;
  signal: AbortSignal;
  write(text: string): void;
  fetch(id: string): Promise<AsyncIterable<Uint8Array>>;
  /** Keeps the package that came of it on the server. */
  keep(file: { name: string; file: string }): Promise<void>;
}

export interface HandoverOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
}

class HandoverFailed extends Error {
  override name = 'HandoverFailed';
}

const MINUTE = 60_000;

/** Nothing but the last part of a name: a package lies in the folder of its job. */
const nameOf = (name: string): string => path.basename(name.replaceAll('\\', '/')).replace(/^\.+/, '') || 'package';

async function fetchPackage(
  { package: wanted }: HandedOver,
  folder: string,
  options: HandoverOptions,
): Promise<string> {
  const file = path.join(folder, nameOf(wanted.name));
  const hash = createHash('sha256');
  await pipeline(
    await options.fetch(wanted.id),
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    { signal: options.signal },
  );
  if (hash.digest('hex') !== wanted.sha256)
    throw new HandoverFailed('The package did not arrive as it is on the server.');
  return file;
}

/** Has a package dealt with by the command of whoever runs this runner, in a folder of which nothing is left. */
export async function runHandover(work: HandedOver, options: HandoverOptions): Promise<HandoverOutcome> {
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const late = AbortSignal.timeout(work.minutes * MINUTE);
  try {
    await attempt(work, job, { ...options, signal: AbortSignal.any([options.signal, late]) });
    return { result: 'succeeded' };
  } catch (error) {
    if (options.signal.aborted) return { result: 'canceled' };
    const reason = late.aborted
      ? `It took longer than ${work.minutes} minutes.`
      : error instanceof HandoverFailed
        ? error.message
        : `The runner failed: ${(error as Error).message}`;
    options.write(`\n## ${reason}\n`);
    return { result: 'failed', reason: reason.slice(0, 1000) };
  } finally {
    await removeFolder(job);
  }
}

async function attempt(work: HandedOver, job: string, options: HandoverOptions): Promise<void> {
  const { command, signal, limits, write } = options;
  const { what, facts, credentials } = work;
  if (!command)
    throw new HandoverFailed(`This runner has no command for ${what}: ${handovers[what].variable} is not set.`);
  const [input, output] = [path.join(job, 'package'), path.join(job, 'output')];
  for (const folder of [input, output]) await mkdir(folder);
  write(`== The package ${work.package.name}, ${work.package.size} bytes\n`);
  const file = await fetchPackage(work, input, options);
  const secret = { mode: 0o600 };
  const told = { facts: path.join(job, 'facts.json'), credentials: path.join(job, 'credentials.json') };
  await writeFile(told.facts, `${JSON.stringify(facts, null, 2)}\n`, secret);
  if (credentials) await writeFile(told.credentials, `${JSON.stringify(credentials, null, 2)}\n`, secret);
  write(`== The command for ${what}\n`);
  let exceeded: string | undefined;
  const code = await runProcess({
    command: ['bash', '-c', command],
    cwd: job,
    // Of this machine, its tools and its user: keys lie in the user's home, and the command is not that of a stranger.
    env: {
      ...toolEnvironment(),
      HOME: process.env.HOME ?? job,
      MOORING_HANDOVER: what,
      MOORING_APP: `${facts.app.owner}/${facts.app.name}`,
      MOORING_PACKAGE: file,
      MOORING_OUTPUT: output,
      MOORING_FACTS: told.facts,
      ...(credentials ? { MOORING_CREDENTIALS: told.credentials } : {}),
      ...(facts.store?.track ? { MOORING_TRACK: facts.store.track } : {}),
    },
    signal,
    mark: job,
    limits,
    onExceeded: (words) => {
      exceeded = words;
    },
    onOutput: write,
  });
  if (exceeded !== undefined) throw new HandoverFailed(`The command was ended. ${exceeded}`);
  signal.throwIfAborted();
  if (code !== 0) throw new HandoverFailed(`The command for ${what} failed with exit code ${code}; its log says why.`);
  if (what === 'resign-apple') await keepSigned(output, options);
}

async function keepSigned(output: string, { keep, write, signal }: HandoverOptions): Promise<void> {
  const names = (await readdir(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.ipa$/i.test(entry.name))
    .map(({ name }) => name);
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) {
    throw new HandoverFailed(`The command must leave one .ipa in $MOORING_OUTPUT; it left ${names.length}.`);
  }
  write(`== ${name}\n`);
  await keep({ name, file: path.join(output, name) }).catch((error: Error) => {
    throw signal.aborted ? error : new HandoverFailed(`${name} cannot be kept. ${error.message}`);
  });
}
