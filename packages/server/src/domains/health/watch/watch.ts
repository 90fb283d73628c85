import { type Ctx, type Deps, systemCtx } from '../../../context.ts';
import { keyValue } from '../../../db/key-values.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE, SECOND, toIso } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import type { EventDraft } from '../events/event-rules.ts';
import { changeEvent, publishEvent } from '../events/events.ts';
import type { EventProperties, Region } from '../events/rendering.ts';
import { type PartName, partNames, parts, probeParts, type Trouble } from './watch-parts.ts';
import { type Act, type PartState, type Probed, takeProbe } from './watch-rules.ts';

export const WATCH_EVERY = 30 * SECOND;
const SLOW = 5 * SECOND;
const watched = keyValue('health.watch');
const MOST_UPDATES = 100;

/** What all processes know together. */
interface Known {
  /** When one of them last looked. */
  lookedAt: number;
  parts: Partial<Record<PartName, PartState>>;
}

/** Changes what is known, one process after the other. */
const changeKnown = <T>(ctx: Ctx, work: (ctx: Ctx, known: Known) => Promise<T>): Promise<T> =>
  tx(ctx, async (ctx) => {
    const nothing = JSON.stringify({ lookedAt: 0, parts: {} } satisfies Known);
    await watched.addOrFind(ctx.db, nothing);
    const known = JSON.parse((await watched.lock(ctx.db)) ?? nothing) as Known;
    const result = await work(ctx, known);
    await watched.save(ctx.db, JSON.stringify(known));
    return result;
  });

const words = (part: PartName, reason = ''): string => (parts[part].reasons as Record<string, string>)[reason] ?? '';

function opening(ctx: Ctx, part: PartName, { badSince = 0, reason }: PartState): EventDraft {
  const { service, title, level } = parts[part];
  const summary = words(part, reason);
  const region = { impactedRegion: ctx.config.watchdogRegion, status: 'Active' as const, updates: [{ summary }] };
  return {
    eventType: 'ServiceIssue',
    eventSource: 'ServiceHealth',
    title,
    summary,
    eventLevel: level,
    platformInitiated: true,
    impactStartTime: toIso(badSince),
    impact: [{ impactedService: service, impactedRegions: [region] }],
  };
}

/** The event with one more update, and with another status if it changes. */
function updated(before: EventProperties, act: Act, summary: string, endedAt: number, now: number): EventDraft {
  const status = act === 'resolve' ? ('Resolved' as const) : act === 'reopen' ? ('Active' as const) : undefined;
  const change = (region: Region): Region => ({
    ...region,
    status: status ?? region.status,
    updates: [{ summary, updateDateTime: toIso(now) }, ...(region.updates ?? [])].slice(0, MOST_UPDATES),
  });
  return {
    ...before,
    status: status ?? before.status,
    summary,
    impactMitigationTime: act === 'resolve' ? toIso(endedAt) : undefined,
    impact: before.impact?.map((impact) => ({ ...impact, impactedRegions: impact.impactedRegions?.map(change) })),
  };
}

async function tellOf(ctx: Ctx, part: PartName, act: Act, state: PartState): Promise<void> {
  const { trackingId = '', goodSince = 0 } = state;
  if (act === 'open') {
    await publishEvent(ctx, { trackingId, draft: opening(ctx, part, state) });
    return;
  }
  const summary = act === 'resolve' ? 'It works again.' : words(part, state.reason);
  try {
    await changeEvent(ctx, trackingId, (before, now) => updated(before, act, summary, goodSince, now));
  } catch (error) {
    // An operator withdrew it: then there is nothing more to say.
    if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
  }
}

async function note(ctx: Ctx, known: Known, part: PartName, probed: Probed): Promise<void> {
  const threshold = ctx.config.watchdogMinutes * MINUTE;
  const { state, act } = takeProbe(part, known.parts[part] ?? {}, probed, threshold);
  known.parts[part] = state;
  if (act) await tellOf(ctx, part, act, state);
}

/**
 * Looks at the parts of this server, and tells of what fails for long as a service issue for everyone. It is no job: a
 * queue that stands still could not tell of itself. Of all processes, the first in each half minute does it.
 */
export function createWatch(deps: Deps): () => Promise<void> {
  const ctx = systemCtx(deps);
  /** While the database is away nothing can be written, so it is remembered here. */
  let outage: { since: number; until: number } | undefined;
  let isLooking = false;

  async function lookAtDatabase(now: number): Promise<{ isMyTurn: boolean; trouble: Trouble } | undefined> {
    const start = performance.now();
    try {
      const isMyTurn = await changeKnown(ctx, async (ctx, known) => {
        if (outage) await note(ctx, known, 'database', { at: outage.until, reason: 'down', since: outage.since });
        const isMine = now - known.lookedAt >= WATCH_EVERY * 0.8;
        if (isMine) known.lookedAt = now;
        return isMine;
      });
      outage = undefined;
      return { isMyTurn, trouble: performance.now() - start > SLOW ? 'slow' : undefined };
    } catch (err) {
      outage = { since: outage?.since ?? now, until: now };
      deps.log.error({ err }, 'the watchdog cannot write to the database');
      return undefined;
    }
  }

  return async () => {
    if (isLooking || deps.config.watchdogMinutes === 0) return;
    isLooking = true;
    try {
      const at = deps.clock.now();
      const database = await lookAtDatabase(at);
      if (!database?.isMyTurn) return;
      const found = { database: database.trouble, ...(await probeParts(deps)) };
      await changeKnown(ctx, async (ctx, known) => {
        for (const part of partNames) await note(ctx, known, part, { at, reason: found[part] });
      });
    } finally {
      isLooking = false;
    }
  };
}
