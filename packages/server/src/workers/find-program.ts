import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** File names of a command: Windows runs only those with a known extension. */
export const programFiles = (command: string, platform: NodeJS.Platform = process.platform): string[] =>
  platform === 'win32' && path.win32.extname(command) === '' ? [`${command}.exe`, `${command}.com`] : [command];

/**
 * Path of the first installed command. Has no further imports, because processes that are often started import this
 * file.
 */
export function findProgram(commands: readonly string[], folders = process.env.PATH ?? ''): string | undefined {
  const places = folders.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const command of commands) {
    const match = places
      .flatMap((folder) => programFiles(command).map((file) => path.join(folder, file)))
      .find(isProgram);
    if (match) return match;
  }
  return undefined;
}
