import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../sandbox/sandbox.ts';

/** A Node version on this machine. */
export interface InstalledNode {
  version: string;
  /** The folder with `node` and `npm`. */
  folder: string;
}

/** Names of LTS lines in .nvmrc files. */
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

const parseVersion = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);

/** Whether a version matches the request; undefined if the request is not understood. */
function fits(requested: string, version: string): boolean | undefined {
  const range = requested.trim().toLowerCase();
  if (range === 'node' || range === 'stable') return true;
  const [major = 0] = parseVersion(version);
  // Even major versions are LTS lines.
  if (range === 'lts/*') return major % 2 === 0;
  const line = lines[range.replace(/^lts\//, '')];
  if (line !== undefined) return line === major;
  if (!/^v?\d+(\.(\d+|x|\*)){0,2}$/.test(range)) return undefined;
  const parts = range.replace(/^v/, '').split('.');
  const isAny = (part: string) => part === 'x' || part === '*';
  return parts.every((part, at) => isAny(part) || Number(part) === parseVersion(version)[at]);
}

const byVersion = (one: InstalledNode, other: InstalledNode): number => {
  const [a, b] = [parseVersion(one.version), parseVersion(other.version)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
};

export interface Choice {
  node?: InstalledNode;
  /** Log message about the choice. */
  message: string;
}

/** Chooses the requested version. The first installed version is the default. */
export function chooseNode(requested: string, nodes: readonly InstalledNode[]): Choice {
  const [defaultNode] = nodes;
  const range = requested.trim().slice(0, 50);
  const used = defaultNode ? `using Node ${defaultNode.version}` : 'no Node is installed';
  if (fits(range, '0.0.0') === undefined) return { message: `Unsupported Node version "${range}"; ${used}.` };
  const fitting = nodes.filter(({ version }) => fits(range, version));
  const node = defaultNode && fitting.includes(defaultNode) ? defaultNode : fitting.toSorted(byVersion)[0];
  if (node) return { node, message: `Using Node ${node.version}, as ${range} is requested.` };
  return {
    message: `Node ${range} is requested, but not installed on this runner; ${used}. Install it with nvm, n or fnm.`,
  };
}

/** Folders of version managers, which contain one folder for each version. */
const versionFolders = (env: NodeJS.ProcessEnv): [folder: string, below: string][] => [
  [path.join(env.NVM_DIR ?? path.join(homedir(), '.nvm'), 'versions/node'), 'bin'],
  [path.join(env.N_PREFIX ?? '/usr/local', 'n/versions/node'), 'bin'],
  [path.join(env.FNM_DIR ?? path.join(homedir(), '.local/share/fnm'), 'node-versions'), 'installation/bin'],
];

/** Lists the Node versions of this machine; the one in the PATH comes first. */
export async function findNodes(env: NodeJS.ProcessEnv = process.env): Promise<InstalledNode[]> {
  const defaultNode = findProgram('node', env.PATH ?? '');
  const printed = defaultNode && (await promisify(execFile)(defaultNode, ['--version']).catch(() => undefined));
  const nodes: InstalledNode[] = printed
    ? [{ version: printed.stdout.trim().replace(/^v/, ''), folder: path.dirname(defaultNode) }]
    : [];
  for (const [folder, below] of versionFolders(env)) {
    for (const name of (await readdir(folder).catch(() => [])).filter((one) => /^v?\d+\.\d+\.\d+$/.test(one))) {
      const bin = path.join(folder, name, below);
      if (findProgram('node', bin)) nodes.push({ version: name.replace(/^v/, ''), folder: bin });
    }
  }
  return nodes;
}
