import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findXcodes } from '../builds/xcodes.ts';
import { findCommands } from '../handovers/handover-job.ts';
import { findProgram } from '../sandbox/sandbox.ts';

export interface Tool {
  name: string;
  version: string;
}

const run = promisify(execFile);

const versionCommands: readonly { name: string; command: string; args: string[] }[] = [
  { name: 'git', command: 'git', args: ['--version'] },
  { name: 'ssh', command: 'ssh', args: ['-V'] },
  { name: 'node', command: 'node', args: ['--version'] },
  { name: 'npm', command: 'npm', args: ['--version'] },
  { name: 'yarn', command: 'yarn', args: ['--version'] },
  { name: 'java', command: 'java', args: ['-version'] },
  { name: 'gradle', command: 'gradle', args: ['--version'] },
  { name: 'xcode', command: 'xcodebuild', args: ['-version'] },
  { name: 'dotnet', command: 'dotnet', args: ['--version'] },
  { name: 'mono', command: 'mono', args: ['--version'] },
  { name: 'msbuild', command: 'msbuild', args: ['-version', '-nologo'] },
  { name: 'nuget', command: 'nuget', args: ['help'] },
  { name: 'cocoapods', command: 'pod', args: ['--version'] },
  { name: 'carthage', command: 'carthage', args: ['version'] },
  { name: 'cmake', command: 'cmake', args: ['--version'] },
  { name: 'apksigner', command: 'apksigner', args: ['--version'] },
  { name: 'podman', command: 'podman', args: ['--version'] },
  { name: 'bubblewrap', command: 'bwrap', args: ['--version'] },
];

async function readVersion(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(command, args, { timeout: 20_000 });
    return /\d{1,9}\.[\d.]{1,30}/.exec(stdout + stderr)?.[0];
  } catch {
    return undefined;
  }
}

/** Detects installed tools and their versions. */
export async function findTools(): Promise<Tool[]> {
  const installed = versionCommands.filter(({ command }) => findProgram(command));
  const versions = await Promise.all(installed.map(({ command, args }) => readVersion(command, args)));
  const tools = installed.flatMap(({ name }, at) => (versions[at] ? [{ name, version: versions[at] }] : []));
  // Add Xcode versions other than the default, as branches can request them.
  const isListed = (version: string) => tools.some((tool) => tool.name === 'xcode' && tool.version === version);
  for (const { version } of await findXcodes()) if (!isListed(version)) tools.push({ name: 'xcode', version });
  const sdk = process.env.ANDROID_HOME ?? process.env.ANDROID_SDK_ROOT;
  const commands = [...findCommands(process.env).keys()].map((name) => ({ name, version: 'command' }));
  return [...tools, ...(sdk ? [{ name: 'android-sdk', version: sdk.slice(0, 100) }] : []), ...commands];
}

export const findLabels = (): string[] => [process.platform, process.arch];
