import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createLineReader } from '../files/lines.ts';
import { runProcess } from '../sandbox/processes.ts';
import { contain } from '../sandbox/sandbox.ts';
import { toolEnvironment, toolFolders } from '../tools/tool-environment.ts';
import type { TestJob } from './adapters/adapter.ts';
import type { AppMemory } from './app-memory.ts';
import type { SuiteFolders } from './suite-folders.ts';
import type { SuiteLogs } from './suite-logs.ts';
import type { TestOptions } from './test-options.ts';

const HOST_COMMAND_TIMEOUT_MS = 10 * 60_000;
const MAX_HOST_OUTPUT_BYTES = 8 * 1_048_576;

const start = promisify(execFile);

/** Runs programs outside the sandbox. */
export const createHostRunner =
  (signal: AbortSignal): TestJob['runOnHost'] =>
  async ([program = '', ...args], { maxBytes = MAX_HOST_OUTPUT_BYTES } = {}) => {
    const env = { ...toolEnvironment(), HOME: process.env.HOME ?? '/' };
    return (await start(program, args, { signal, timeout: HOST_COMMAND_TIMEOUT_MS, maxBuffer: maxBytes, env })).stdout;
  };

interface SuiteRunnerOptions {
  options: TestOptions;
  /** Folder of the job, which identifies its processes. */
  job: string;
  folders: SuiteFolders;
  env: Readonly<Record<string, string>>;
  logs: SuiteLogs;
  appMemory: AppMemory | undefined;
  onExceeded(reason: string): void;
}

/** Runs programs of the suite in the sandbox. */
export const createSuiteRunner =
  (
    { options, job, folders, env, logs, appMemory, onExceeded }: SuiteRunnerOptions,
    signal: AbortSignal,
  ): TestJob['run'] =>
  async ({
    title,
    command,
    cwd = folders.suite,
    env: extra = {},
    onLine,
    tools = [],
    log = 'test-log',
    signal: own,
  }) => {
    const { sandbox, image, hidden, limits, write } = options;
    if (title !== undefined) write(`== ${title}\n`);
    const print = (text: string) => {
      logs.write(log, text);
      if (log === 'test-log') write(text);
    };
    const lines = createLineReader((line) => {
      if (onLine?.(line) !== false) print(`${line}\n`);
    });
    const contained = contain(command, {
      sandbox,
      image,
      folder: folders.box,
      cwd,
      tools: [...toolFolders(), ...tools],
      hidden,
      env: { ...env, ...extra },
    });
    const code = await runProcess({
      ...contained,
      cwd,
      signal: own ? AbortSignal.any([signal, own]) : signal,
      mark: job,
      limits,
      onExceeded,
      onStart: (pid) => appMemory?.follow(pid) ?? (() => undefined),
      onOutput: (text, stream) => (stream === 'stdout' ? lines.add(text) : print(text)),
    });
    lines.end();
    return code;
  };
