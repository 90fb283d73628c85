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

/** The locations of tools, without other variables of the runner. */
export const toolEnvironment = (): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** Folders of tools that a sandbox must show. */
export const toolFolders = (): string[] => [
  path.dirname(process.execPath),
  ...['JAVA_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT'].flatMap((name) => process.env[name] ?? []),
];
