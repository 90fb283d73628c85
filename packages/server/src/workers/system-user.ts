import { execFileSync } from 'node:child_process';

export interface SystemUser {
  uid: number;
  gid: number;
}

const readId = (flag: string, name: string): number =>
  Number(execFileSync('id', [flag, '--', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

/** Finds a user of this machine, by name or number. */
export function findSystemUser(name: string): SystemUser | undefined {
  try {
    return { uid: readId('-u', name), gid: readId('-g', name) };
  } catch {
    return undefined;
  }
}

export const isRoot = (): boolean => process.getuid?.() === 0;
