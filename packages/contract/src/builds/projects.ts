import type { Static } from 'typebox';
import type { ToolsetProjects } from './branch-configurations.contract.ts';

export type Projects = Static<typeof ToolsetProjects>;

/** The sources of a repository: the paths of all files, and the content of some. */
export interface SourceFiles {
  paths: readonly string[];
  read(path: string): Promise<string | undefined>;
  /** Fetches several files in one request, so that `read` finds them in memory. */
  prefetch?(paths: readonly string[]): Promise<void>;
}

export const buildScripts = ['appcenter-post-clone', 'appcenter-pre-build', 'appcenter-post-build'] as const;

const getFolder = (path: string): string => path.split('/').slice(0, -1).join('/');
const getName = (path: string): string => path.split('/').at(-1) ?? '';
const getDepth = (path: string): number => path.split('/').length;

/** Folders of dependencies and tools are not projects. */
const isForeign = (path: string): boolean =>
  /(^|\/)(node_modules|Pods|Carthage|\.git|build|bower_components)\//.test(path);

async function packagesIn({ paths, read, prefetch }: SourceFiles): Promise<Projects['javascript']> {
  const found = paths.filter((path) => getName(path) === 'package.json');
  if (found.length === 0) return undefined;
  await prefetch?.(found);
  const javascriptSolutions = [];
  for (const packageJsonPath of found) {
    const [, version] = /"react-native"\s*:\s*"([^"]{1,100})"/.exec((await read(packageJsonPath)) ?? '') ?? [];
    javascriptSolutions.push({ packageJsonPath, ...(version ? { reactNativeVersion: version } : {}) });
  }
  return { packageJsonPaths: found, javascriptSolutions };
}

/** The modules in settings.gradle. If it names none, the folder of the wrapper is the only module. */
async function androidIn({ paths, read, prefetch }: SourceFiles): Promise<Projects['android']> {
  const gradleWrapperPath = paths.find((path) => getName(path) === 'gradlew');
  if (gradleWrapperPath === undefined) return undefined;
  const root = getFolder(gradleWrapperPath);
  const inRoot = (name: string) => (root === '' ? name : `${root}/${name}`);
  await prefetch?.([inRoot('settings.gradle'), inRoot('settings.gradle.kts')]);
  const settings = (await read(inRoot('settings.gradle'))) ?? (await read(inRoot('settings.gradle.kts'))) ?? '';
  const names = [...settings.matchAll(/["']:([\w:.-]{1,100})["']/g)].flatMap(([, name]) => name ?? []);
  const modules = [...new Set(names)].slice(0, 100);
  const scriptPaths = (name: string): [string, string] => {
    const folder = inRoot(name.replaceAll(':', '/'));
    return [`${folder}/build.gradle`, `${folder}/build.gradle.kts`];
  };
  await prefetch?.(modules.flatMap(scriptPaths));
  const androidModules = [];
  for (const name of modules) {
    const [groovy, kotlin] = scriptPaths(name);
    const script = (await read(groovy)) ?? (await read(kotlin));
    if (script === undefined) continue;
    const own = [...script.matchAll(/^\s{4,8}(?:create\(["'])?(\w{1,50})(?:["']\))?\s*\{\s*$/gm)].flatMap(
      ([, type]) => type ?? [],
    );
    const buildTypes = [
      ...new Set(['debug', 'release', ...own.filter((type) => /(debug|release|beta|staging)/i.test(type))]),
    ];
    androidModules.push({ name, buildTypes, buildVariants: buildTypes, isRoot: false });
  }
  if (androidModules.length === 0) androidModules.push({ name: '', buildVariants: ['debug', 'release'], isRoot: true });
  return { androidModules, gradleWrapperPath };
}

/** Only shared schemes: other schemes exist only on their author's machine. */
function xcodeIn({ paths }: SourceFiles): Projects['xcode'] {
  const containers = new Map<string, string[]>();
  for (const path of paths) {
    const [, container, scheme] =
      /^(.*?\.(?:xcodeproj|xcworkspace))\/xcshareddata\/xcschemes\/([^/]+)\.xcscheme$/.exec(path) ?? [];
    if (container && scheme) containers.set(container, [...(containers.get(container) ?? []), scheme]);
  }
  if (containers.size === 0) return undefined;
  const beside = (container: string, name: string) => {
    const folder = getFolder(container);
    const path = folder === '' ? name : `${folder}/${name}`;
    return paths.includes(path) ? path : undefined;
  };
  return {
    xcodeSchemeContainers: [...containers].map(([path, schemes]) => {
      const podfilePath = beside(path, 'Podfile');
      const cartfilePath = beside(path, 'Cartfile');
      return {
        path,
        sharedSchemes: schemes.map((name) => ({ name, hasTestAction: false })),
        ...(podfilePath ? { podfilePath } : {}),
        ...(cartfilePath ? { cartfilePath } : {}),
      };
    }),
  };
}

const solutionsIn = ({ paths }: SourceFiles) =>
  paths.filter((path) => path.endsWith('.sln')).map((path) => ({ path, configurations: ['Debug', 'Release'] }));

function scriptsIn({ paths }: SourceFiles): Projects['buildscripts'] {
  const found = paths.filter((path) =>
    buildScripts.some((name) => [`${name}.sh`, `${name}.ps1`].includes(getName(path))),
  );
  if (found.length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(Object.groupBy(found, getFolder)).map(([folder, scripts]) => [
      folder || '.',
      (scripts ?? []).map(getName),
    ]),
  );
}

/** Finds projects of all kinds, nearest to the root first. */
export async function findProjects(files: SourceFiles, maxDepth = 10): Promise<Projects> {
  const paths = files.paths
    .filter((path) => getDepth(path) <= maxDepth + 4 && !isForeign(path))
    .toSorted((a, b) => getDepth(a) - getDepth(b) || (a < b ? -1 : 1));
  const near = { ...files, paths: paths.filter((path) => getDepth(path) <= maxDepth) };
  const javascript = await packagesIn(near);
  const android = await androidIn(near);
  const xcode = xcodeIn({ ...files, paths });
  const solutions = solutionsIn(near);
  const buildscripts = scriptsIn(near);
  return {
    ...(xcode ? { xcode } : {}),
    ...(javascript ? { javascript } : {}),
    ...(solutions.length > 0 ? { xamarin: { xamarinSolutions: solutions }, uwp: { uwpSolutions: solutions } } : {}),
    ...(android ? { android } : {}),
    ...(buildscripts ? { buildscripts } : {}),
  };
}
