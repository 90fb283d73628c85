import path from 'node:path';

const names = [
  'PATH',
  'JAVA_HOME',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
  'DEVELOPER_DIR',
  'NODE_EXTRA_CA_CERTS',
  'LANG',
] as const;

/** Nothing of what the runner itself was started with, but where tools are. */
export const toolEnvironment = (): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** Folders that a sandbox shows for them. */
export const toolFolders = (): string[] => [
  path.dirname(process.execPath),
  ...['JAVA_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT'].flatMap((name) => process.env[name] ?? []),
];
