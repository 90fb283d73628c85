import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BuildWork, type buildScripts, findProjects, MOORING_YML, type Projects } from '@mooring/contract';
import { Value } from 'typebox/value';
import { readInside } from '../files/read-inside.ts';
import { removeFolder } from '../files/remove-folder.ts';
import type { Limits } from '../sandbox/limits.ts';
import { runProcess } from '../sandbox/processes.ts';
import { contain, findProgram, isContainer, type Sandbox } from '../sandbox/sandbox.ts';
import { toolEnvironment, toolFolders } from '../tools/tool-environment.ts';
import { type Artifact, findArtifacts } from './artifacts.ts';
import { type CacheStore, restoreCaches } from './caches.ts';
import { checkOut } from './checkout.ts';
import { applyYml, InvalidYml, MAX_YML_LENGTH, readYml, type Yml } from './mooring-yml.ts';
import { chooseNode, findNodes } from './node-versions.ts';
import { type JobFiles, type Plan, planBuild, type Stage, type Work } from './stages/index.ts';
import { findXcodes } from './xcodes.ts';

export interface BuildOptions {
  /** Parent of the job's folder. */
  folder: string;
  sandbox: Sandbox;
  /** Container image, unless the sources specify one. */
  image?: string | undefined;
  /** Folders that stages must not see. */
  hidden: readonly string[];
  /** Limits of each stage. */
  limits?: Limits | undefined;
  caches?: CacheStore | undefined;
  signal: AbortSignal;
  write(text: string): void;
  /** Stores a file on the server. */
  upload(artifact: Artifact): Promise<void>;
}

export interface BuildOutcome {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string;
  found?: Projects;
}

class StageFailed extends Error {
  override name = 'StageFailed';
}

const MINUTE = 60_000;
const MAX_READ_LENGTH = 262_144;
const MAX_NVMRC_BYTES = 1024;

export const parseBuildWork = (work: unknown): Work => Value.Parse(BuildWork, work);

/** Lists the values to mask in the log. */
export function listBuildSecrets({ repository, variables, toolsets }: Work): string[] {
  const secrets = variables.filter(({ isSecret }) => isSecret).map(({ value }) => value);
  if (repository.password !== undefined) secrets.push(repository.password);
  if (repository.deployKey !== undefined) secrets.push(repository.deployKey);
  const walk = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && /(password|pwd|secret|token|encoded)$/i.test(name)) secrets.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, key);
  };
  walk(toolsets);
  return secrets;
}

interface Folders extends JobFiles {
  job: string;
  output: string;
  home: string;
}

/** The variables that scripts expect from App Center. */
const buildVariables = (
  { app, build, repository }: Work,
  { sources, output, home }: Folders,
): Record<string, string> => ({
  HOME: home,
  CI: 'true',
  TERM: 'dumb',
  APPCENTER_BUILD_ID: String(build.id),
  APPCENTER_BRANCH: build.branch,
  APPCENTER_SOURCE_DIRECTORY: sources,
  APPCENTER_OUTPUT_DIRECTORY: output,
  APPCENTER_TRIGGER: build.trigger,
  MOBILECENTER_SOURCE_DIRECTORY: sources,
  BUILD_REPOSITORY_NAME: repository.name,
  BUILD_SOURCEVERSION: build.commit,
  BUILD_SOURCEBRANCH: `refs/heads/${build.branch}`,
  MOORING_APP: `${app.owner}/${app.name}`,
});

async function listPaths(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}.git`))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

async function scan(sources: string): Promise<Projects> {
  const paths = await listPaths(sources);
  const existing = new Set(paths);
  const read = async (file: string) =>
    existing.has(file) ? (await readFile(path.join(sources, file), 'utf8')).slice(0, MAX_READ_LENGTH) : undefined;
  return findProjects({ paths, read });
}

/** Runs a build in a new folder, which is removed afterwards. */
export async function runBuild(work: Work, options: BuildOptions): Promise<BuildOutcome> {
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const timeoutController = new AbortController();
  const { signal: timeout } = timeoutController;
  let { minutes } = work;
  let timer = setTimeout(() => timeoutController.abort(), minutes * MINUTE);
  const setTimeLimit = (newMinutes: number) => {
    clearTimeout(timer);
    minutes = newMinutes;
    timer = setTimeout(() => timeoutController.abort(), minutes * MINUTE);
  };
  try {
    const folders = {
      job,
      sources: path.join(job, 'sources'),
      output: path.join(job, 'output'),
      home: path.join(job, 'home'),
      keystore: path.join(job, 'keystore'),
      certificate: path.join(job, 'certificate.p12'),
      profile: path.join(job, 'profile.mobileprovision'),
      keychain: path.join(job, 'job.keychain-db'),
      keychainPassword: randomUUID(),
    };
    for (const folder of [folders.sources, folders.output, folders.home]) await mkdir(folder);
    const signal = AbortSignal.any([options.signal, timeout]);
    return await build(work, folders, { ...options, signal, setTimeLimit });
  } catch (error) {
    if (options.signal.aborted) return { result: 'canceled' };
    if (timeout.aborted)
      return { result: 'canceled', reason: `The build exceeded its time limit of ${minutes} minutes.` };
    const isExpected =
      error instanceof Error && /^(StageFailed|CannotBuild|CheckoutFailed|InvalidYml)$/.test(error.name);
    const reason = isExpected ? (error as Error).message : `The runner failed: ${(error as Error).message}`;
    options.write(`\n## ${reason}\n`);
    return { result: 'failed', reason: reason.slice(0, 1000) };
  } finally {
    clearTimeout(timer);
    await removeFolder(job);
  }
}

/** Reads the mooring.yml of the sources. */
async function readSourceYml(sources: string, write: BuildOptions['write']): Promise<Yml> {
  const file = path.join(sources, MOORING_YML);
  if (!existsSync(file)) return {};
  const content = await readInside(sources, file, MAX_YML_LENGTH);
  if (!content) throw new InvalidYml([`${MOORING_YML} isn't a regular file, or exceeds ${MAX_YML_LENGTH / 1024} KiB.`]);
  write(`Using ${MOORING_YML}, with the configuration of the branch as default.\n`);
  try {
    return readYml(content.toString('utf8'));
  } catch (error) {
    if (error instanceof InvalidYml) for (const problem of error.problems) write(`${problem}\n`);
    throw error;
  }
}

/** Writes the signing keys outside the sources, for the duration of one stage. */
async function withKeys<T>(
  { toolsets: { android, xcode, uwp } }: Work,
  folders: Folders,
  use: () => Promise<T>,
): Promise<T> {
  const files = [
    [folders.keystore, android?.keystoreEncoded],
    [folders.certificate, xcode?.certificateEncoded ?? uwp?.certificateEncoded],
    [folders.profile, xcode?.provisioningProfileEncoded],
  ] as const;
  const remove = () => Promise.all(files.map(([file]) => rm(file, { recursive: true, force: true })));
  try {
    // An earlier stage may have created a symbolic link here, which would redirect the keys.
    await remove();
    for (const [file, content] of files) {
      if (content) await writeFile(file, Buffer.from(content, 'base64'), { mode: 0o600, flag: 'wx' });
    }
    return await use();
  } finally {
    await remove();
  }
}

interface BuildRun extends BuildOptions {
  /** Reduces the time limit of the build. */
  setTimeLimit(minutes: number): void;
}

async function build(configured: Work, folders: Folders, options: BuildRun): Promise<BuildOutcome> {
  const { write, signal, sandbox, hidden, limits, caches } = options;
  const { sources, job } = folders;
  const logTitle = (title: string) => write(`== ${title}\n`);
  const bare = { ...toolEnvironment(), HOME: folders.home };

  logTitle('Sources');
  await checkOut({ work: configured, folder: sources, env: bare, limits, signal, onOutput: write });
  const yml = await readSourceYml(sources, write);
  const work = applyYml(configured, yml);
  const image = yml.image ?? options.image;
  if (yml.image && !isContainer(sandbox))
    write(`Ignored the image ${yml.image}: this runner doesn't use containers.\n`);
  const shared = { sandbox, image, limits, hidden, folder: job };
  if (work.minutes < configured.minutes) options.setTimeLimit(work.minutes);
  const env: Record<string, string> = {
    ...toolEnvironment(),
    // Java ignores HOME and reads the home folder from the system.
    GRADLE_USER_HOME: path.join(folders.home, '.gradle'),
    ...Object.fromEntries(work.variables.map(({ name, value }) => [name, value])),
    ...buildVariables(work, folders),
  };

  const tools = toolFolders();

  async function run({ title, command, folder, env: more = {}, isSigning = false }: Stage): Promise<void> {
    logTitle(title);
    const cwd = path.resolve(sources, folder);
    if (cwd !== sources && !cwd.startsWith(`${sources}${path.sep}`))
      throw new StageFailed(`Folder ${folder} is outside the sources.`);
    if (!existsSync(cwd)) throw new StageFailed(`The sources don't contain the folder ${folder}.`);
    const contained = contain(command, { ...shared, cwd, tools, env: { ...env, ...more } });
    let exceeded: string | undefined;
    const onExceeded = (reason: string) => {
      exceeded = reason;
    };
    const start = () => runProcess({ ...contained, cwd, signal, mark: job, limits, onExceeded, onOutput: write });
    const code = await (isSigning ? withKeys(work, folders, start) : start());
    if (exceeded !== undefined) throw new StageFailed(`${title} was killed. ${exceeded}`);
    if (signal.aborted) throw new StageFailed(`${title} was stopped.`);
    if (code !== 0) throw new StageFailed(`${title} failed with exit code ${code}.`);
  }

  async function runScript(name: (typeof buildScripts)[number], plan: Plan, more: Record<string, string> = {}) {
    const exists = (file: string) => existsSync(path.join(sources, plan.folder, file));
    const [shell, powershell] = [`${name}.sh`, `${name}.ps1`];
    if (exists(shell)) await run({ title: shell, command: ['bash', `./${shell}`], folder: plan.folder, env: more });
    if (!exists(powershell)) return;
    // Only the container knows its programs.
    const program = isContainer(sandbox) ? 'pwsh' : ['pwsh', 'powershell'].find((one) => findProgram(one));
    if (program === undefined) {
      write(`## Skipped ${powershell}: this runner has no PowerShell. Install pwsh on the runner, or use ${shell}.\n`);
      return;
    }
    const command = [program, '-NoProfile', '-NonInteractive', '-File', `./${powershell}`];
    await run({ title: powershell, command, folder: plan.folder, env: more });
  }

  /** Selects the Node version of the branch, the sources or the runner, in this order. */
  async function useNode({ toolsets: { javascript } }: Work, folder: string): Promise<void> {
    if (!javascript) return;
    const files = [path.join(folder, '.nvmrc'), '.nvmrc'].map((file) => path.join(sources, file));
    const file = files.find((one) => existsSync(one));
    const configured =
      javascript.nodeVersion && javascript.nodeVersion !== '.nvmrc' ? javascript.nodeVersion : undefined;
    const requested = configured ?? (file && (await readInside(sources, file, MAX_NVMRC_BYTES))?.toString('utf8'));
    if (!requested?.trim()) return;
    if (isContainer(sandbox)) {
      const version = requested.trim().slice(0, 50);
      write(
        `Ignored the requested Node ${version}: the image ${image} has its Node. Choose another with "image" in ${MOORING_YML}.\n`,
      );
      return;
    }
    const { node, message } = chooseNode(requested, await findNodes());
    write(`${message}\n`);
    if (!node) return;
    env.PATH = [node.folder, env.PATH].filter(Boolean).join(path.delimiter);
    // npm is installed next to the bin folder.
    tools.push(path.dirname(node.folder));
  }

  const runInJobFolder = async (command: readonly string[], readable?: string) => {
    const files = readable === undefined ? [] : [readable];
    const contained = contain(command, { ...shared, cwd: job, tools: toolFolders(), files, env: bare });
    return runProcess({ ...contained, cwd: job, signal, mark: job, limits, onOutput: write });
  };

  const projects = await scan(sources);
  const has = (file: string) => existsSync(path.join(sources, file));
  const plan = planBuild(work, { has, xcodes: await findXcodes() }, folders);
  Object.assign(env, plan.variables);
  await useNode(work, plan.folder);
  let saveCaches: (() => Promise<void>) | undefined;
  if (caches && yml.caches?.length) {
    logTitle('Caches');
    saveCaches = await restoreCaches(caches, work, yml.caches, { folders, write, run: runInJobFolder });
  }
  let status: 'Succeeded' | 'Failed' = 'Failed';
  try {
    await runScript('appcenter-post-clone', plan);
    for (const stage of plan.restore) await run(stage);
    await runScript('appcenter-pre-build', plan);
    for (const stage of plan.build) await run(stage);
    status = 'Succeeded';
  } finally {
    // Also after a failure, as scripts report it.
    if (!signal.aborted) await runScript('appcenter-post-build', plan, { AGENT_JOBSTATUS: status });
  }
  logTitle('Files');
  for (const artifact of await findArtifacts(sources, folders.output, plan.artifacts)) {
    if ((await stat(artifact.file)).size === 0) {
      write(`## Skipped ${artifact.name}: the file is empty.\n`);
      continue;
    }
    write(`${artifact.kind}: ${artifact.name}\n`);
    await options.upload(artifact).catch((error: Error) => {
      throw signal.aborted ? error : new StageFailed(`Can't store ${artifact.name}. ${error.message}`);
    });
  }
  await saveCaches?.();
  return { result: 'succeeded', found: projects };
}
