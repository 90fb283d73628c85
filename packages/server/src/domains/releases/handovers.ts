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

/** Packages are large, stores are slow, and nobody waits for them. */
const MINUTES = 120;
const PACKAGE = 'package';

/** Queues a package for the command of a runner, in the caller's transaction; its job is what it is known by. */
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

/** What was handed over is no longer wanted: a runner that works on it hears so, and its log goes. */
export const dropHandover = (ctx: Ctx, jobId: string): Promise<void> => deleteJob(ctx, jobId);

/** Of all runners of an app, what is missing for one of them to do it just now; nothing if one is ready. */
export function missingAmong(runners: readonly ListedRunner[], which: Handover): string | undefined {
  const { variable, what } = handovers[which];
  const able = runners.filter(({ tools }) => tools.some(({ name }) => name === which));
  const names = able.map(({ name }) => name).join(', ');
  if (able.length === 0) {
    return `No runner of this app ${what}: start one with ${variable} set, on a machine that has the tools.`;
  }
  const online = able.filter(({ isOnline }) => isOnline);
  if (online.length === 0)
    return `No runner that ${what} is online (${names}): start it with \`mooring runner start\`.`;
  const [troubled] = online;
  return online.every(({ trouble }) => trouble !== undefined)
    ? `The runner ${troubled?.name} takes no work: ${troubled?.trouble}`
    : undefined;
}

export const missingFor = async (ctx: AppCtx, which: Handover): Promise<string | undefined> =>
  missingAmong(await listAppRunners(ctx), which);

/** Whether a runner of the app has a command for it, be it online or not. */
export const canHandOver = async (ctx: AppCtx, which: Handover): Promise<boolean> =>
  (await listAppRunners(ctx)).some(({ tools }) => tools.some(({ name }) => name === which));
