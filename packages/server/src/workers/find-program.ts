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

/** The path of the first of these commands that is installed. Processes that start often import this file, so it imports no others. */
export function findProgram(commands: readonly string[], folders = process.env.PATH ?? ''): string | undefined {
  const places = folders.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const command of commands) {
    const found = places.map((folder) => path.join(folder, command)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}
