import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';

export const sandboxes = ['bubblewrap', 'host'] as const;
export type Sandbox = (typeof sandboxes)[number];

export function findProgram(name: string, folders = process.env.PATH ?? ''): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
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

export interface Contained {
  sandbox: Sandbox;
  /** The one folder that can be written to. */
  folder: string;
  cwd: string;
  /** Folders with tools, to be read. */
  tools: readonly string[];
  env: Record<string, string>;
}

/** How a program is started, see `runProcess`. */
export interface Contents {
  command: string[];
  env: Record<string, string>;
  input?: string;
}

/**
 * The command with which a command sees nothing of the machine but its tools and its own folder. Its variables come to
 * it by a pipe: bubblewrap itself, which runs outside, must not get to see `LD_PRELOAD` and the like.
 */
export function contain(command: readonly string[], { sandbox, folder, cwd, tools, env }: Contained): Contents {
  if (sandbox === 'host') return { command: [...command], env };
  const readable = [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib64',
    '/opt',
    ...[...etc, ...javaSettings()].map((name) => `/etc/${name}`),
    ...tools,
  ];
  const options = [
    '--unshare-all',
    '--share-net',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...readable.flatMap((place) => ['--ro-bind-try', place, place]),
    ...['--bind', folder, folder, '--chdir', cwd],
  ];
  return {
    command: [findProgram('bwrap') ?? 'bwrap', '--args', '3', '--', ...command],
    env: {},
    input: options.map((option) => `${option.replaceAll('\0', '')}\0`).join(''),
  };
}
