import { type Handover, type HandoverWork, handovers } from '@mooring/contract';
import type { Static } from 'typebox';
import type { AppCtx, Ctx } from '../../context.ts';
import { deleteJob, type ListedRunner, listAppRunners, queueJob } from '../runners/index.ts';
import type { Release } from './releases.ts';

type Work = Static<typeof HandoverWork>;

export interface HandedOver {
  what: Handover;
  release: Release;
  facts: Omit<Work['facts'], 'app' | 'release'>;
  credentials?: Record<string, string> | undefined;
}

/** Packages are large, stores are slow, and no request waits for this job. */
const MINUTES = 120;
const PACKAGE = 'package';

/** Queues a package for the command of a runner, in the caller's transaction; returns the ID of the job. */
export function handOver(ctx: AppCtx, { what, release, facts, credentials }: HandedOver): Promise<string> {
  const { ownerName, name } = ctx.app;
  const work: Work = {
    what,
    package: { id: PACKAGE, name: release.fileName, size: release.size, sha256: release.sha256 },
    facts: {
      app: { owner: ownerName, name },
      release: {
        id: release.id,
        version: release.version,
        short_version: release.shortVersion,
        ...(release.bundleIdentifier === undefined ? {} : { bundle_identifier: release.bundleIdentifier }),
        ...(release.notes === undefined ? {} : { release_notes: release.notes }),
      },
      ...facts,
    },
    ...(credentials === undefined ? {} : { credentials }),
    minutes: MINUTES,
  };
  return queueJob(ctx, {
    appId: ctx.app.id,
    kind: 'handover',
    needs: [what],
    sources: { [PACKAGE]: { key: release.key, name: release.fileName } },
    work,
  });
}

/** Deletes a handover with its log; a runner that works on it stops. */
export const dropHandover = (ctx: Ctx, jobId: string): Promise<void> => deleteJob(ctx, jobId);

/** Explains what is missing for a runner of the app to process a handover now; undefined if one is ready. */
export function missingAmong(runners: readonly ListedRunner[], which: Handover): string | undefined {
  const { variable, what } = handovers[which];
  const able = runners.filter(({ tools }) => tools.some(({ name }) => name === which));
  const names = able.map(({ name }) => name).join(', ');
  if (able.length === 0) {
    return `No runner of this app ${what}. Start one with ${variable} set, on a machine that has the tools.`;
  }
  const online = able.filter(({ isOnline }) => isOnline);
  if (online.length === 0)
    return `No runner that ${what} is online (${names}). Start it with \`mooring runner start\`.`;
  const [troubled] = online;
  return online.every(({ problem: lastError }) => lastError !== undefined)
    ? `The runner ${troubled?.name} accepts no jobs: ${troubled?.problem}`
    : undefined;
}

export const missingFor = async (ctx: AppCtx, which: Handover): Promise<string | undefined> =>
  missingAmong(await listAppRunners(ctx), which);

/** Checks whether a runner of the app, online or not, has a command for it. */
export const canHandOver = async (ctx: AppCtx, which: Handover): Promise<boolean> =>
  (await listAppRunners(ctx)).some(({ tools }) => tools.some(({ name }) => name === which));
