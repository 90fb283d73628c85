import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './sandbox.ts';

export interface Tool {
  name: string;
  version: string;
}

const run = promisify(execFile);

const asked: readonly { name: string; command: string; args: string[] }[] = [
  { name: 'git', command: 'git', args: ['--version'] },
  { name: 'ssh', command: 'ssh', args: ['-V'] },
  { name: 'node', command: 'node', args: ['--version'] },
  { name: 'npm', command: 'npm', args: ['--version'] },
  { name: 'yarn', command: 'yarn', args: ['--version'] },
  { name: 'java', command: 'java', args: ['-version'] },
  { name: 'gradle', command: 'gradle', args: ['--version'] },
  { name: 'xcode', command: 'xcodebuild', args: ['-version'] },
  { name: 'dotnet', command: 'dotnet', args: ['--version'] },
  { name: 'cmake', command: 'cmake', args: ['--version'] },
  { name: 'apksigner', command: 'apksigner', args: ['--version'] },
  { name: 'podman', command: 'podman', args: ['--version'] },
  { name: 'bubblewrap', command: 'bwrap', args: ['--version'] },
];

async function versionOf(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(command, args, { timeout: 20_000 });
    return /\d{1,9}\.[\d.]{1,30}/.exec(stdout + stderr)?.[0];
  } catch {
    return undefined;
  }
}

/** What this machine has, by asking. */
export async function findTools(): Promise<Tool[]> {
  const there = asked.filter(({ command }) => findProgram(command));
  const versions = await Promise.all(there.map(({ command, args }) => versionOf(command, args)));
  const found = there.flatMap(({ name }, at) => (versions[at] ? [{ name, version: versions[at] }] : []));
  const sdk = process.env.ANDROID_HOME ?? process.env.ANDROID_SDK_ROOT;
  return sdk ? [...found, { name: 'android-sdk', version: sdk.slice(0, 100) }] : found;
}

export const findLabels = (): string[] => [process.platform, process.arch];
