import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './sandbox.ts';

/** A Node of this machine. */
export interface InstalledNode {
  version: string;
  /** That has `node` and `npm`. */
  folder: string;
}

/** Names that files of nvm have for lines of Node with long support. */
const lines: Readonly<Record<string, number>> = {
  argon: 4,
  boron: 6,
  carbon: 8,
  dubnium: 10,
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
};

const numbersOf = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);

/** Whether a version is one of those that are asked for; undefined where nobody can tell what is. */
function fits(wanted: string, version: string): boolean | undefined {
  const asked = wanted.trim().toLowerCase();
  if (asked === 'node' || asked === 'stable') return true;
  const [major = 0] = numbersOf(version);
  // Every second line gets long support.
  if (asked === 'lts/*') return major % 2 === 0;
  const line = lines[asked.replace(/^lts\//, '')];
  if (line !== undefined) return line === major;
  if (!/^v?\d+(\.(\d+|x|\*)){0,2}$/.test(asked)) return undefined;
  const parts = asked.replace(/^v/, '').split('.');
  const isAny = (part: string) => part === 'x' || part === '*';
  return parts.every((part, at) => isAny(part) || Number(part) === numbersOf(version)[at]);
}

const byVersion = (one: InstalledNode, other: InstalledNode): number => {
  const [a, b] = [numbersOf(one.version), numbersOf(other.version)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
};

export interface Choice {
  node?: InstalledNode;
  /** What the log says of it. */
  words: string;
}

/** Of the Nodes of a machine, the first of which is the usual one, the one that sources ask for. */
export function chooseNode(wanted: string, nodes: readonly InstalledNode[]): Choice {
  const [usual] = nodes;
  const asked = wanted.trim().slice(0, 50);
  const used = usual ? `Node ${usual.version} is used` : 'there is none';
  if (fits(asked, '0.0.0') === undefined)
    return { words: `"${asked}" names no version of Node that this runner can tell; ${used}.` };
  const fitting = nodes.filter(({ version }) => fits(asked, version));
  const node = usual && fitting.includes(usual) ? usual : fitting.toSorted(byVersion)[0];
  if (node) return { node, words: `Node ${node.version}, as ${asked} is asked for.` };
  return {
    words: `Node ${asked} is asked for, and this runner has none that fits; ${used}. Install it with nvm, n or fnm.`,
  };
}

/** Where tools that keep several versions have them: a folder for each, named by its version. */
const places = (env: NodeJS.ProcessEnv): [folder: string, below: string][] => [
  [path.join(env.NVM_DIR ?? path.join(homedir(), '.nvm'), 'versions/node'), 'bin'],
  [path.join(env.N_PREFIX ?? '/usr/local', 'n/versions/node'), 'bin'],
  [path.join(env.FNM_DIR ?? path.join(homedir(), '.local/share/fnm'), 'node-versions'), 'installation/bin'],
];

/** Those of this machine; the one that its PATH leads to comes first. */
export async function findNodes(env: NodeJS.ProcessEnv = process.env): Promise<InstalledNode[]> {
  const usual = findProgram('node', env.PATH ?? '');
  const told = usual && (await promisify(execFile)(usual, ['--version']).catch(() => undefined));
  const found: InstalledNode[] = told
    ? [{ version: told.stdout.trim().replace(/^v/, ''), folder: path.dirname(usual) }]
    : [];
  for (const [folder, below] of places(env)) {
    for (const name of (await readdir(folder).catch(() => [])).filter((one) => /^v?\d+\.\d+\.\d+$/.test(one))) {
      const bin = path.join(folder, name, below);
      if (findProgram('node', bin)) found.push({ version: name.replace(/^v/, ''), folder: bin });
    }
  }
  return found;
}
