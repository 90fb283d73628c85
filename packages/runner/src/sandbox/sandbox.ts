import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { toolEnvironment } from '../tools/tool-environment.ts';
import type { Limits } from './limits.ts';

export const sandboxes = ['bubblewrap', 'podman', 'docker', 'host'] as const;
export type Sandbox = (typeof sandboxes)[number];

/** File names of a program: Windows requires an extension. */
export const programFiles = (name: string, platform: NodeJS.Platform = process.platform): string[] =>
  platform === 'win32' && path.win32.extname(name) === '' ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];

export function findProgram(name: string, folders = process.env.PATH ?? ''): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => programFiles(name).map((file) => path.join(folder, file)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Finds the default sandbox. The unprotected host is never a default. */
export const findSandbox = (): Sandbox | undefined => (findProgram('bwrap') ? 'bubblewrap' : undefined);

/** System folders that a sandbox shows. */
export const shownFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt'] as const;

const etc = [
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'passwd',
  'group',
  'ssl',
  'ca-certificates',
  'alternatives',
  'localtime',
  'fonts',
  'chromium',
  'chromium.d',
];
/** Debian stores settings here that Java requires. */
const javaSettings = (): string[] => {
  try {
    return readdirSync('/etc').filter((name) => name.startsWith('java-'));
  } catch {
    return [];
  }
};

export const isContainer = (sandbox: Sandbox): sandbox is 'podman' | 'docker' =>
  sandbox === 'podman' || sandbox === 'docker';

export interface Contained {
  sandbox: Sandbox;
  /** Container image, which contains the tools. */
  image?: string | undefined;
  limits?: Limits | undefined;
  /** The only writable folder. */
  folder: string;
  cwd: string;
  /** Read-only folders with tools. */
  tools: readonly string[];
  /** Additional read-only files. */
  files?: readonly string[];
  /** Folders and files to hide, such as data of the runner, or of a server on the same machine. */
  hidden: readonly string[];
  env: Record<string, string>;
}

/** Options for `runProcess`. */
export interface Contents {
  command: string[];
  env: Record<string, string>;
  input?: string;
  /** Command to run when the process has ended. */
  after?: string[];
}

const quoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;

/** Passes variables by stdin: all users can see arguments, and the container client runs outside the sandbox. */
function inContainer(
  program: 'podman' | 'docker',
  command: readonly string[],
  { image = '', limits, folder, files = [], cwd, env }: Contained,
): Contents {
  const name = `mooring-${randomUUID()}`;
  const hostEnv = toolEnvironment();
  const exports = Object.entries(env)
    .filter(([key, value]) => hostEnv[key] !== value)
    .map(([key, value]) => `export ${key}=${quoted(value)}\n`)
    .join('');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const asUser = program === 'docker' ? [`--user=${uid}:${gid}`] : uid === 0 ? [] : ['--userns=keep-id'];
  const limitOptions = limits ? [`--memory=${limits.memoryBytes}`, `--pids-limit=${limits.processes}`] : [];
  const script = 'eval "$(cat)"; exec "$@" </dev/null';
  const run = [
    ...[program, 'run', '--rm', '--interactive', '--init', `--name=${name}`],
    ...['--cap-drop=ALL', '--security-opt=no-new-privileges', ...asUser, ...limitOptions],
    ...files.map((file) => `--volume=${file}:${file}:ro`),
    ...[`--volume=${folder}:${folder}`, `--workdir=${cwd}`, '--', image],
    ...['sh', '-c', script, 'sh', ...command],
  ];
  return {
    command: ['sh', '-c', 'exec "$@" <&3', 'sh', ...run],
    env: hostEnv,
    input: exports,
    // The container is not a child process of the client, and outlives it.
    after: [program, 'rm', '--force', name],
  };
}

/** All paths of a folder in the sandbox: `/lib` is often a link to `/usr/lib`. */
function listSandboxPaths(folder: string, readable: readonly string[]): string[] {
  try {
    const real = realpathSync(folder);
    return readable.flatMap((place) => {
      if (!existsSync(place)) return [];
      const relative = path.relative(realpathSync(place), real);
      const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
      return isOutside ? [] : [path.join(place, relative)];
    });
  } catch {
    // The folder doesn't exist, so there is nothing to hide.
    return [];
  }
}

/** Mounts outer folders first, so that tools in hidden folders are visible, and hidden folders in tool folders are not. */
function mounts(readable: readonly string[], hidden: readonly string[]): string[] {
  const masks = [...new Set(hidden.flatMap((folder) => listSandboxPaths(folder, readable)))];
  const steps = [
    ...readable.filter((place) => !masks.includes(place)).map((place) => ({ place, isMask: false })),
    ...masks.map((place) => ({ place, isMask: true })),
  ].toSorted((a, b) => a.place.length - b.place.length);
  return steps.flatMap(({ place, isMask }) => {
    if (!isMask) return ['--ro-bind-try', place, place];
    return statSync(place).isDirectory() ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place];
  });
}

/**
 * Wraps a command so that it can access only tools and its folder. Passes variables by a pipe, because bubblewrap runs outside
 * the sandbox and must not be affected by `LD_PRELOAD` and similar variables.
 */
export function contain(command: readonly string[], options: Contained): Contents {
  const { sandbox, folder, cwd, tools, files = [], hidden, env } = options;
  if (isContainer(sandbox)) return inContainer(sandbox, command, options);
  if (sandbox === 'host') return { command: [...command], env };
  const readable = [...shownFolders, ...[...etc, ...javaSettings()].map((name) => `/etc/${name}`), ...tools, ...files];
  const bwrapOptions = [
    '--unshare-all',
    '--share-net',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...mounts(readable, hidden),
    ...['--bind', folder, folder, '--chdir', cwd],
  ];
  return {
    command: [findProgram('bwrap') ?? 'bwrap', '--args', '3', '--', ...command],
    env: {},
    input: bwrapOptions.map((option) => `${option.replaceAll('\0', '')}\0`).join(''),
  };
}
