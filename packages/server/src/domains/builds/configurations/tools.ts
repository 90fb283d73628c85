import { DOTNET_BUNDLE } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { getApp } from '../../apps/index.ts';
import { type ListedRunner, listAppRunners } from '../../runners/index.ts';

const parseNumbers = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 6).map(Number);

/** Newest first. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [parseNumbers(a), parseNumbers(b)];
  for (let at = 0; at < 6; at += 1) {
    const difference = (right[at] ?? 0) - (left[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

const listToolVersions = (runners: readonly ListedRunner[], tool: string): string[] =>
  [
    ...new Set(runners.flatMap(({ tools }) => tools.filter(({ name }) => name === tool).map(({ version }) => version))),
  ].sort(compareVersions);

/** Versions of a tool that runners of the app offer. The first is the default. */
export const listVersions = async (ctx: AppCtx, tool: string): Promise<string[]> =>
  listToolVersions(await listAppRunners(ctx), tool);

/** Pre-release versions have a suffix, such as 11.0.100-preview.3. */
const isStable = (version: string): boolean => !version.includes('-');

export interface SdkBundle {
  sdkBundle: string;
  monoVersion?: string;
  stable: boolean;
  /** Xcode versions on the same runners. */
  xcodeVersions: string[];
}

/** SDKs for Xamarin and .NET solutions: .NET first, each newest first. */
export async function listSdkBundles(ctx: AppCtx): Promise<SdkBundle[]> {
  const runners = await listAppRunners(ctx);
  const xcodesBeside = (tool: string, version: string) =>
    listToolVersions(
      runners.filter(({ tools }) => tools.some((one) => one.name === tool && one.version === version)),
      'xcode',
    );
  return [
    ...listToolVersions(runners, 'dotnet').map((version) => ({
      sdkBundle: `${DOTNET_BUNDLE}${version}`,
      stable: isStable(version),
      xcodeVersions: xcodesBeside('dotnet', version),
    })),
    ...listToolVersions(runners, 'mono').map((version) => ({
      sdkBundle: `mono-${version}`,
      monoVersion: version,
      stable: isStable(version),
      xcodeVersions: xcodesBeside('mono', version),
    })),
  ];
}

export interface ServiceStatus {
  isAvailable: boolean;
  message: string;
  os: string;
}

export async function getServiceStatus(ctx: AppCtx): Promise<ServiceStatus> {
  const { os } = await getApp(ctx);
  const runners = await listAppRunners(ctx);
  const online = runners.filter((runner) => runner.isOnline);
  const ready = online.filter(({ problem: lastError }) => lastError === undefined);
  if (ready.length > 0)
    return { isAvailable: true, message: `${ready.length} of ${runners.length} runners are ready.`, os };
  const [troubled] = online;
  const message = troubled
    ? `The runner ${troubled.name} accepts no jobs: ${troubled.problem}`
    : runners.length > 0
      ? 'No runner of this app is online. Start one with `mooring runner start`.'
      : 'This app has no runner. Register one with `mooring runner register`.';
  return { isAvailable: false, message, os };
}
