import { type Ctx, type Deps, systemCtx } from '../../../context.ts';
import { keyValue } from '../../../db/key-values.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE, SECOND, toIso } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import type { EventDraft } from '../events/event-rules.ts';
import { changeEvent, publishEvent } from '../events/health-events.ts';
import type { EventProperties, Region } from '../events/rendering.ts';
import { type Act, type ComponentState, type Probed, takeProbe } from './watch-rules.ts';
import { type ComponentName, componentNames, components, probeComponents, type Trouble } from './watched-components.ts';

export const WATCH_EVERY = 30 * SECOND;
const SLOW = 5 * SECOND;
const watched = keyValue('health.watch');
const MOST_UPDATES = 100;

/** What all processes know together. */
interface Known {
  /** When one of them last looked. */
  lookedAt: number;
  /** NOTE: stored under this name since the first version; another would forget what is open. */
  parts: Partial<Record<ComponentName, ComponentState>>;
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

const words = (component: ComponentName, reason = ''): string =>
  (components[component].reasons as Record<string, string>)[reason] ?? '';

function opening(ctx: Ctx, component: ComponentName, { badSince = 0, reason }: ComponentState): EventDraft {
  const { service, title, level } = components[component];
  const summary = words(component, reason);
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
function updated(
  before: EventProperties,
  { act, summary, endedAt, now }: { act: Act; summary: string; endedAt: number; now: number },
): EventDraft {
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

async function tellOf(ctx: Ctx, component: ComponentName, act: Act, state: ComponentState): Promise<void> {
  const { trackingId = '', goodSince = 0 } = state;
  if (act === 'open') {
    await publishEvent(ctx, { trackingId, draft: opening(ctx, component, state) });
    return;
  }
  const summary = act === 'resolve' ? 'It works again.' : words(component, state.reason);
  try {
    await changeEvent(ctx, trackingId, (before, now) => updated(before, { act, summary, endedAt: goodSince, now }));
  } catch (error) {
    // An operator withdrew it: then there is nothing more to say.
    if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
  }
}

async function note(ctx: Ctx, known: Known, component: ComponentName, probed: Probed): Promise<void> {
  const threshold = ctx.config.watchdogMinutes * MINUTE;
  const { state, act } = takeProbe(component, known.parts[component] ?? {}, probed, threshold);
  known.parts[component] = state;
  if (act) await tellOf(ctx, component, act, state);
}

/**
 * Looks at the components of this server, and tells of what fails for long as a service issue for everyone. It is no job: a
 * queue that stands still could not tell of itself. Of all processes, the first in each half minute does it.
 */
export function createWatch(deps: Deps): () => Promise<void> {
  const ctx = systemCtx(deps);
  /** While the database is away nothing can be written, so it is remembered here. */
  let outage: { since: number; until: number } | undefined;
  let isLooking = false;

  async function lookAtDatabase(now: number): Promise<{ isDue: boolean; trouble: Trouble } | undefined> {
    const start = performance.now();
    try {
      const isDue = await changeKnown(ctx, async (ctx, known) => {
        if (outage) await note(ctx, known, 'database', { at: outage.until, reason: 'down', since: outage.since });
        const isMine = now - known.lookedAt >= WATCH_EVERY * 0.8;
        if (isMine) known.lookedAt = now;
        return isMine;
      });
      outage = undefined;
      return { isDue, trouble: performance.now() - start > SLOW ? 'slow' : undefined };
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
      if (!database?.isDue) return;
      const found = { database: database.trouble, ...(await probeComponents(deps)) };
      await changeKnown(ctx, async (ctx, known) => {
        for (const component of componentNames) await note(ctx, known, component, { at, reason: found[component] });
      });
    } finally {
      isLooking = false;
    }
  };
}
