import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Limits } from './limits.ts';
import { toolEnvironment } from './tool-environment.ts';

export const sandboxes = ['bubblewrap', 'podman', 'docker', 'host'] as const;
export type Sandbox = (typeof sandboxes)[number];

/** Files that a command can be: Windows runs only those with an ending that it knows. */
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

/** What is there; the plain host is never chosen without being named. */
export const foundSandbox = (): Sandbox | undefined => (findProgram('bwrap') ? 'bubblewrap' : undefined);

/** Folders of the machine with tools, all of which a sandbox shows. */
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
/** Debian has settings of Java here, without which none starts. */
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
  /** What a container is made of; it brings the tools. */
  image?: string | undefined;
  limits?: Limits | undefined;
  /** The one folder that can be written to. */
  folder: string;
  cwd: string;
  /** Folders with tools, to be read. */
  tools: readonly string[];
  /** Other files that it may read. */
  files?: readonly string[];
  /** Folders and files that it must not see, wherever they lie: of the runner, and of a server on the same machine. */
  hidden: readonly string[];
  env: Record<string, string>;
}

/** How a program is started, see `runProcess`. */
export interface Contents {
  command: string[];
  env: Record<string, string>;
  input?: string;
  /** What has to be run when it has ended, however it did. */
  after?: string[];
}

const quoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;

/** Variables come by the standard input: arguments are seen by everybody, and the client of the container runs outside. */
function inContainer(
  program: 'podman' | 'docker',
  command: readonly string[],
  { image = '', limits, folder, files = [], cwd, env }: Contained,
): Contents {
  const name = `mooring-${randomUUID()}`;
  const ofHost = toolEnvironment();
  const exports = Object.entries(env)
    .filter(([key, value]) => ofHost[key] !== value)
    .map(([key, value]) => `export ${key}=${quoted(value)}\n`)
    .join('');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const asUser = program === 'docker' ? [`--user=${uid}:${gid}`] : uid === 0 ? [] : ['--userns=keep-id'];
  const limited = limits ? [`--memory=${limits.memoryBytes}`, `--pids-limit=${limits.processes}`] : [];
  const script = 'eval "$(cat)"; exec "$@" </dev/null';
  const run = [
    ...[program, 'run', '--rm', '--interactive', '--init', `--name=${name}`],
    ...['--cap-drop=ALL', '--security-opt=no-new-privileges', ...asUser, ...limited],
    ...files.map((file) => `--volume=${file}:${file}:ro`),
    ...[`--volume=${folder}:${folder}`, `--workdir=${cwd}`, '--', image],
    ...['sh', '-c', script, 'sh', ...command],
  ];
  return {
    command: ['sh', '-c', 'exec "$@" <&3', 'sh', ...run],
    env: ofHost,
    input: exports,
    // The container is no child of its client, and outlives it.
    after: [program, 'rm', '--force', name],
  };
}

/** The same folder under every name that a sandbox shows it by: `/lib` is often a link to `/usr/lib`. */
function namesInside(folder: string, readable: readonly string[]): string[] {
  try {
    const real = realpathSync(folder);
    return readable.flatMap((place) => {
      if (!existsSync(place)) return [];
      const relative = path.relative(realpathSync(place), real);
      const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
      return isOutside ? [] : [path.join(place, relative)];
    });
  } catch {
    // It is not there, so there is nothing to hide.
    return [];
  }
}

/** Outer folders first, so that a tool inside of a hidden folder is shown, and a hidden folder inside of a tool is not. */
function mounts(readable: readonly string[], hidden: readonly string[]): string[] {
  const masks = [...new Set(hidden.flatMap((folder) => namesInside(folder, readable)))];
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
 * The command with which a command sees nothing of the machine but its tools and its own folder. Its variables come to
 * it by a pipe: bubblewrap itself, which runs outside, must not get to see `LD_PRELOAD` and the like.
 */
export function contain(command: readonly string[], how: Contained): Contents {
  const { sandbox, folder, cwd, tools, files = [], hidden, env } = how;
  if (isContainer(sandbox)) return inContainer(sandbox, command, how);
  if (sandbox === 'host') return { command: [...command], env };
  const readable = [...shownFolders, ...[...etc, ...javaSettings()].map((name) => `/etc/${name}`), ...tools, ...files];
  const options = [
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
    input: options.map((option) => `${option.replaceAll('\0', '')}\0`).join(''),
  };
}
