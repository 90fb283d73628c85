import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Xcode } from './stages/stage.ts';

/** Reads the version from the plist, as users can rename the folder. */
const versionIn = (plist: string): string | undefined =>
  /<key>CFBundleShortVersionString<\/key>\s*<string>(\d{1,9}(?:[.]\d{1,9}){0,3})<\/string>/.exec(plist)?.[1];

/** Lists the Xcode versions on this machine. */
export async function findXcodes(folder = '/Applications'): Promise<Xcode[]> {
  const names = await readdir(folder).catch(() => []);
  const xcodes = await Promise.all(
    names
      .filter((name) => /^Xcode.*[.]app$/.test(name))
      .map(async (name) => {
        const app = path.posix.join(folder, name);
        const plist = await readFile(path.join(app, 'Contents/version.plist'), 'utf8').catch(() => '');
        const version = versionIn(plist);
        return version === undefined ? [] : [{ version, folder: app }];
      }),
  );
  return xcodes.flat();
}
