import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BuildWork, type buildScripts, findProjects, MOORING_YML, type Projects } from '@mooring/contract';
import { Value } from 'typebox/value';
import { type Artifact, findArtifacts } from './artifacts.ts';
import { type CacheStore, restoreCaches } from './caches.ts';
import { checkOut } from './checkout.ts';
import { readInside } from './inside.ts';
import type { Limits } from './limits.ts';
import { applyYml, InvalidYml, LARGEST_YML, readYml, type Yml } from './mooring-yml.ts';
import { chooseNode, findNodes } from './node-versions.ts';
import { runProcess } from './processes.ts';
import { removeFolder } from './remove-folder.ts';
import { contain, findProgram, isContainer, type Sandbox } from './sandbox.ts';
import { type JobFiles, type Plan, planBuild, type Stage, type Work } from './stages/index.ts';
import { toolEnvironment, toolFolders } from './tool-environment.ts';
import { findXcodes } from './xcodes.ts';

export interface BuildOptions {
  /** In which the folder of the job is made. */
  folder: string;
  sandbox: Sandbox;
  /** Of containers, unless the sources name one. */
  image?: string | undefined;
  /** Folders that no stage may see. */
  hidden: readonly string[];
  /** Of each stage. */
  limits?: Limits | undefined;
  caches?: CacheStore | undefined;
  signal: AbortSignal;
  write(text: string): void;
  /** Keeps a file on the server. */
  keep(artifact: Artifact): Promise<void>;
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
const LARGEST_READ = 262_144;
const LARGEST_NVMRC = 1024;

export const readWork = (work: unknown): Work => Value.Parse(BuildWork, work);

/** All that must not be printed. */
export function secretsOf({ repository, variables, toolsets }: Work): string[] {
  const found = variables.filter(({ isSecret }) => isSecret).map(({ value }) => value);
  if (repository.password !== undefined) found.push(repository.password);
  if (repository.deployKey !== undefined) found.push(repository.deployKey);
  const walk = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && /(password|pwd|secret|token|encoded)$/i.test(name)) found.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, key);
  };
  walk(toolsets);
  return found;
}

interface Folders extends JobFiles {
  job: string;
  output: string;
  home: string;
}

/** What scripts of the original service find. */
const variablesOf = ({ app, build, repository }: Work, { sources, output, home }: Folders): Record<string, string> => ({
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

async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}.git`))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

async function scan(sources: string): Promise<Projects> {
  const paths = await pathsBelow(sources);
  const known = new Set(paths);
  const read = async (file: string) =>
    known.has(file) ? (await readFile(path.join(sources, file), 'utf8')).slice(0, LARGEST_READ) : undefined;
  return findProjects({ paths, read });
}

/** Does a build in a folder of its own, of which nothing is left. */
export async function runBuild(work: Work, options: BuildOptions): Promise<BuildOutcome> {
  const job = await mkdtemp(path.join(options.folder, 'job-'));
  const late = new AbortController();
  const { signal: timeout } = late;
  let { minutes } = work;
  let timer = setTimeout(() => late.abort(), minutes * MINUTE);
  const allow = (less: number) => {
    clearTimeout(timer);
    minutes = less;
    timer = setTimeout(() => late.abort(), minutes * MINUTE);
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
    return await build(work, folders, { ...options, signal, allow });
  } catch (error) {
    if (options.signal.aborted) return { result: 'canceled' };
    if (timeout.aborted) return { result: 'canceled', reason: `It took longer than ${minutes} minutes.` };
    const isTold = error instanceof Error && /^(StageFailed|CannotBuild|CheckoutFailed|InvalidYml)$/.test(error.name);
    const reason = isTold ? (error as Error).message : `The runner failed: ${(error as Error).message}`;
    options.write(`\n## ${reason}\n`);
    return { result: 'failed', reason: reason.slice(0, 1000) };
  } finally {
    clearTimeout(timer);
    await removeFolder(job);
  }
}

/** What the sources themselves say of how they are built. */
async function readOwn(sources: string, write: BuildOptions['write']): Promise<Yml> {
  const file = path.join(sources, MOORING_YML);
  if (!existsSync(file)) return {};
  const content = await readInside(sources, file, LARGEST_YML);
  if (!content) throw new InvalidYml([`${MOORING_YML} is no file, or longer than ${LARGEST_YML / 1024} KiB.`]);
  write(`As ${MOORING_YML} says, and where it says nothing as the branch is configured.\n`);
  try {
    return readYml(content.toString('utf8'));
  } catch (error) {
    if (error instanceof InvalidYml) for (const problem of error.problems) write(`${problem}\n`);
    throw error;
  }
}

/** The keys of a branch lie outside of the sources, as long as one stage needs them. */
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
    // A stage before it may have put a link there, which would lead the keys anywhere.
    await remove();
    for (const [file, content] of files) {
      if (content) await writeFile(file, Buffer.from(content, 'base64'), { mode: 0o600, flag: 'wx' });
    }
    return await use();
  } finally {
    await remove();
  }
}

interface Building extends BuildOptions {
  /** It may take no longer than so many minutes. */
  allow(minutes: number): void;
}

async function build(asked: Work, folders: Folders, options: Building): Promise<BuildOutcome> {
  const { write, signal, sandbox, hidden, limits, caches } = options;
  const { sources, job } = folders;
  const begin = (title: string) => write(`== ${title}\n`);
  const bare = { ...toolEnvironment(), HOME: folders.home };

  begin('Sources');
  await checkOut({ work: asked, folder: sources, env: bare, limits, signal, onOutput: write });
  const yml = await readOwn(sources, write);
  const work = applyYml(asked, yml);
  const image = yml.image ?? options.image;
  if (yml.image && !isContainer(sandbox)) write(`This runner has no containers: ${yml.image} is not used.\n`);
  const shared = { sandbox, image, limits, hidden, folder: job };
  if (work.minutes < asked.minutes) options.allow(work.minutes);
  const env: Record<string, string> = {
    ...toolEnvironment(),
    // Java takes the home folder from the system, not from HOME.
    GRADLE_USER_HOME: path.join(folders.home, '.gradle'),
    ...Object.fromEntries(work.variables.map(({ name, value }) => [name, value])),
    ...variablesOf(work, folders),
  };

  const tools = toolFolders();

  async function run({ title, command, folder, env: more = {}, isSigning = false }: Stage): Promise<void> {
    begin(title);
    const cwd = path.resolve(sources, folder);
    if (cwd !== sources && !cwd.startsWith(`${sources}${path.sep}`))
      throw new StageFailed(`${folder} lies outside of the sources.`);
    if (!existsSync(cwd)) throw new StageFailed(`The sources have no folder ${folder}.`);
    const contained = contain(command, { ...shared, cwd, tools, env: { ...env, ...more } });
    let exceeded: string | undefined;
    const onExceeded = (words: string) => {
      exceeded = words;
    };
    const start = () => runProcess({ ...contained, cwd, signal, mark: job, limits, onExceeded, onOutput: write });
    const code = await (isSigning ? withKeys(work, folders, start) : start());
    if (exceeded !== undefined) throw new StageFailed(`${title} was ended. ${exceeded}`);
    if (signal.aborted) throw new StageFailed(`${title} was stopped.`);
    if (code !== 0) throw new StageFailed(`${title} failed with exit code ${code}.`);
  }

  async function runScript(name: (typeof buildScripts)[number], plan: Plan, more: Record<string, string> = {}) {
    const isThere = (file: string) => existsSync(path.join(sources, plan.folder, file));
    const [shell, powershell] = [`${name}.sh`, `${name}.ps1`];
    if (isThere(shell)) await run({ title: shell, command: ['bash', `./${shell}`], folder: plan.folder, env: more });
    if (!isThere(powershell)) return;
    // What a container has, only the container knows.
    const program = isContainer(sandbox) ? 'pwsh' : ['pwsh', 'powershell'].find((one) => findProgram(one));
    if (program === undefined) {
      write(`## ${powershell} is not run: this runner has no PowerShell. Install pwsh, or write ${shell}.\n`);
      return;
    }
    const command = [program, '-NoProfile', '-NonInteractive', '-File', `./${powershell}`];
    await run({ title: powershell, command, folder: plan.folder, env: more });
  }

  /** That the branch, or else the sources, ask for; where none does, the usual one. */
  async function useNode({ toolsets: { javascript } }: Work, folder: string): Promise<void> {
    if (!javascript) return;
    const files = [path.join(folder, '.nvmrc'), '.nvmrc'].map((file) => path.join(sources, file));
    const file = files.find((one) => existsSync(one));
    const asked = javascript.nodeVersion && javascript.nodeVersion !== '.nvmrc' ? javascript.nodeVersion : undefined;
    const wanted = asked ?? (file && (await readInside(sources, file, LARGEST_NVMRC))?.toString('utf8'));
    if (!wanted?.trim()) return;
    if (isContainer(sandbox)) {
      const named = wanted.trim().slice(0, 50);
      write(
        `Node ${named} is asked for; the image ${image} brings its own. Another is named by "image" in ${MOORING_YML}.\n`,
      );
      return;
    }
    const { node, words } = chooseNode(wanted, await findNodes());
    write(`${words}\n`);
    if (!node) return;
    env.PATH = [node.folder, env.PATH].filter(Boolean).join(path.delimiter);
    // npm lies beside the folder of programs.
    tools.push(path.dirname(node.folder));
  }

  const runAside = async (command: readonly string[], readable?: string) => {
    const files = readable === undefined ? [] : [readable];
    const contained = contain(command, { ...shared, cwd: job, tools: toolFolders(), files, env: bare });
    return runProcess({ ...contained, cwd: job, signal, mark: job, limits, onOutput: write });
  };

  const found = await scan(sources);
  const has = (file: string) => existsSync(path.join(sources, file));
  const plan = planBuild(work, { has, xcodes: await findXcodes() }, folders);
  Object.assign(env, plan.variables);
  await useNode(work, plan.folder);
  let keepCaches: (() => Promise<void>) | undefined;
  if (caches && yml.caches?.length) {
    begin('Caches');
    keepCaches = await restoreCaches(caches, work, yml.caches, { folders, write, run: runAside });
  }
  let status: 'Succeeded' | 'Failed' = 'Failed';
  try {
    await runScript('appcenter-post-clone', plan);
    for (const stage of plan.restore) await run(stage);
    await runScript('appcenter-pre-build', plan);
    for (const stage of plan.build) await run(stage);
    status = 'Succeeded';
  } finally {
    // Also after a failure: scripts tell others of it.
    if (!signal.aborted) await runScript('appcenter-post-build', plan, { AGENT_JOBSTATUS: status });
  }
  begin('Files');
  for (const artifact of await findArtifacts(sources, folders.output, plan.keep)) {
    if ((await stat(artifact.file)).size === 0) {
      write(`## ${artifact.name} is empty, and not kept.\n`);
      continue;
    }
    write(`${artifact.kind}: ${artifact.name}\n`);
    await options.keep(artifact).catch((error: Error) => {
      throw signal.aborted ? error : new StageFailed(`${artifact.name} cannot be kept. ${error.message}`);
    });
  }
  await keepCaches?.();
  return { result: 'succeeded', found };
}
