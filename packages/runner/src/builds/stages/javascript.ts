import path from 'node:path';
import type { Plan, Sources, Work } from './stage.ts';

/** Uses npm or yarn, depending on the lock file next to package.json. */
export function planJavascript({ toolsets: { javascript = {} } }: Work, sources: Sources): Plan {
  const packageJson = javascript.packageJsonPath || 'package.json';
  const folder = path.posix.dirname(packageJson);
  const has = (name: string) => sources.has(path.posix.join(folder, name));
  const install = has('yarn.lock')
    ? ['yarn', 'install', '--frozen-lockfile']
    : has('package-lock.json')
      ? ['npm', 'ci', '--no-audit', '--no-fund']
      : ['npm', 'install', '--no-audit', '--no-fund'];
  const at = (name: string) => path.posix.join(folder, name);
  return {
    folder,
    restore: [{ title: 'Packages', command: install, folder }],
    build: [
      { title: 'Build', command: ['npm', 'run', 'build', '--if-present'], folder },
      ...(javascript.runTests ? [{ title: 'Tests', command: ['npm', 'test'], folder }] : []),
    ],
    artifacts: [
      { kind: 'bundle', patterns: [at('**/main.jsbundle'), at('**/index.android.bundle')] },
      { kind: 'symbols', patterns: [at('dist/**/*.map')] },
      { kind: 'build', patterns: [at('dist/**/*')] },
    ],
    variables: { APPCENTER_REACTNATIVE_PACKAGE: packageJson },
  };
}
