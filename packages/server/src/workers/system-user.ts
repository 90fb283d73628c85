import { execFileSync } from 'node:child_process';

export interface SystemUser {
  uid: number;
  gid: number;
}

const numberOf = (flag: string, name: string): number =>
  Number(execFileSync('id', [flag, '--', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

/** A user of this machine, by name or number. */
export function findSystemUser(name: string): SystemUser | undefined {
  try {
    return { uid: numberOf('-u', name), gid: numberOf('-g', name) };
  } catch {
    return undefined;
  }
}

export const isRoot = (): boolean => process.getuid?.() === 0;
