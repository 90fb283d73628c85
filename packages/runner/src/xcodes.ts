import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Xcode } from './stages/stage.ts';

/** What stands for it in the name of the folder is anybody's choice; what it says of itself is not. */
const versionIn = (plist: string): string | undefined =>
  /<key>CFBundleShortVersionString<\/key>\s*<string>(\d{1,9}(?:[.]\d{1,9}){0,3})<\/string>/.exec(plist)?.[1];

/** Every Xcode of this machine; without any, nothing. */
export async function findXcodes(folder = '/Applications'): Promise<Xcode[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^Xcode.*[.]app$/.test(name))
      .map(async (name) => {
        const app = path.posix.join(folder, name);
        const plist = await readFile(path.join(app, 'Contents/version.plist'), 'utf8').catch(() => '');
        const version = versionIn(plist);
        return version === undefined ? [] : [{ version, folder: app }];
      }),
  );
  return found.flat();
}
