import { DOTNET_BUNDLE } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { getApp } from '../apps/index.ts';
import { type ListedRunner, listAppRunners } from '../runners/index.ts';

const numbersOf = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 6).map(Number);

/** Newest first. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < 6; at += 1) {
    const difference = (right[at] ?? 0) - (left[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

const versionsOf = (runners: readonly ListedRunner[], tool: string): string[] =>
  [
    ...new Set(runners.flatMap(({ tools }) => tools.filter(({ name }) => name === tool).map(({ version }) => version))),
  ].sort(compareVersions);

/** Versions of a tool that runners of the app declare; the first is taken where a branch names none. */
export const listVersions = async (ctx: AppCtx, tool: string): Promise<string[]> =>
  versionsOf(await listAppRunners(ctx), tool);

/** Pre-release versions have a suffix, such as 11.0.100-preview.3. */
const isStable = (version: string): boolean => !version.includes('-');

export interface SdkBundle {
  sdkBundle: string;
  monoVersion?: string;
  stable: boolean;
  /** Beside it on the same runners. */
  xcodeVersions: string[];
}

/** With what solutions of Xamarin and .NET can be built: .NET first, each newest first. */
export async function listSdkBundles(ctx: AppCtx): Promise<SdkBundle[]> {
  const runners = await listAppRunners(ctx);
  const xcodesBeside = (tool: string, version: string) =>
    versionsOf(
      runners.filter(({ tools }) => tools.some((one) => one.name === tool && one.version === version)),
      'xcode',
    );
  return [
    ...versionsOf(runners, 'dotnet').map((version) => ({
      sdkBundle: `${DOTNET_BUNDLE}${version}`,
      stable: isStable(version),
      xcodeVersions: xcodesBeside('dotnet', version),
    })),
    ...versionsOf(runners, 'mono').map((version) => ({
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
  const ready = online.filter(({ trouble }) => trouble === undefined);
  if (ready.length > 0)
    return { isAvailable: true, message: `${ready.length} of ${runners.length} runners are ready.`, os };
  const [troubled] = online;
  const message = troubled
    ? `The runner ${troubled.name} takes no work: ${troubled.trouble}`
    : runners.length > 0
      ? 'No runner of this app is online; start one with `mooring runner start`.'
      : 'No runner takes builds of this app; register one with `mooring runner register`.';
  return { isAvailable: false, message, os };
}
