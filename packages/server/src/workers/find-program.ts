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

/** Files that a command can be: Windows runs only those with an ending that it knows. */
export const programFiles = (command: string, platform: NodeJS.Platform = process.platform): string[] =>
  platform === 'win32' && path.win32.extname(command) === '' ? [`${command}.exe`, `${command}.com`] : [command];

/** The path of the first of these commands that is installed. Processes that start often import this file, so it imports no others. */
export function findProgram(commands: readonly string[], folders = process.env.PATH ?? ''): string | undefined {
  const places = folders.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const command of commands) {
    const found = places
      .flatMap((folder) => programFiles(command).map((file) => path.join(folder, file)))
      .find(isProgram);
    if (found) return found;
  }
  return undefined;
}
