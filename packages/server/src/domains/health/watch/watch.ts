import { Type } from '@mooring/contract';
import { type Ctx, type Deps, systemCtx } from '../../../context.ts';
import { keyValue } from '../../../db/rows/key-values.ts';
import { tx } from '../../../db/tx.ts';
import type { Stop } from '../../../domain.ts';
import { MINUTE, SECOND, toIso } from '../../../kernel/clock.ts';
import { repeat } from '../../../kernel/concurrency/repeat.ts';
import { Failure } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import type { EventDraft } from '../events/event-rules.ts';
import { changeEvent, publishEvent } from '../events/health-events.ts';
import type { EventProperties, Region } from '../events/rendering.ts';
import { type Act, type ComponentState, type Probed, takeProbe } from './watch-rules.ts';
import {
  type ComponentName,
  type ComponentProblem,
  componentNames,
  components,
  probeComponents,
} from './watched-components.ts';

const stateCodec = jsonCodec(
  'health.watch',
  objectOutline<Known>({ lookedAt: Type.Integer(), parts: Type.Object({}) }),
);

const WATCH_INTERVAL = 30 * SECOND;
const SLOW = 5 * SECOND;
const watched = keyValue('health.watch');
const MAX_UPDATES = 100;

/** State that all processes share. */
interface Known {
  /** Time of the last probe by any process. */
  lookedAt: number;
  /** NOTE: stored under this name since the first version; renaming it would lose open events. */
  parts: Partial<Record<ComponentName, ComponentState>>;
}

/** Changes the shared state, one process after the other. */
const changeKnown = <T>(ctx: Ctx, work: (ctx: Ctx, known: Known) => Promise<T>): Promise<T> =>
  tx(ctx, async (ctx) => {
    const nothing = stateCodec.serialize({ lookedAt: 0, parts: {} });
    await watched.addOrFind(ctx.db, nothing);
    const known = stateCodec.parse((await watched.lock(ctx.db)) ?? nothing);
    const result = await work(ctx, known);
    await watched.save(ctx.db, stateCodec.serialize(known));
    return result;
  });

const describeReason = (component: ComponentName, reason = ''): string =>
  (components[component].reasons as Record<string, string>)[reason] ?? '';

function opening(ctx: Ctx, component: ComponentName, { badSince = 0, reason }: ComponentState): EventDraft {
  const { service, title, level } = components[component];
  const summary = describeReason(component, reason);
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

/** Adds an update to the event, and changes its status if needed. */
function updated(
  before: EventProperties,
  { act, summary, endedAt, now }: { act: Act; summary: string; endedAt: number; now: number },
): EventDraft {
  const status = act === 'resolve' ? ('Resolved' as const) : act === 'reopen' ? ('Active' as const) : undefined;
  const change = (region: Region): Region => ({
    ...region,
    status: status ?? region.status,
    updates: [{ summary, updateDateTime: toIso(now) }, ...(region.updates ?? [])].slice(0, MAX_UPDATES),
  });
  return {
    ...before,
    status: status ?? before.status,
    summary,
    impactMitigationTime: act === 'resolve' ? toIso(endedAt) : undefined,
    impact: before.impact?.map((impact) => ({ ...impact, impactedRegions: impact.impactedRegions?.map(change) })),
  };
}

async function publishUpdate(ctx: Ctx, component: ComponentName, act: Act, state: ComponentState): Promise<void> {
  const { trackingId = '', goodSince = 0 } = state;
  if (act === 'open') {
    await publishEvent(ctx, { trackingId, draft: opening(ctx, component, state) });
    return;
  }
  const summary = act === 'resolve' ? 'The component works again.' : describeReason(component, state.reason);
  try {
    await changeEvent(ctx, trackingId, (before, now) => updated(before, { act, summary, endedAt: goodSince, now }));
  } catch (error) {
    // An operator withdrew the event: nothing to update.
    if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
  }
}

async function note(ctx: Ctx, known: Known, component: ComponentName, probed: Probed): Promise<void> {
  const threshold = ctx.config.watchdogMinutes * MINUTE;
  const { state, act } = takeProbe(component, known.parts[component] ?? {}, probed, threshold);
  known.parts[component] = state;
  if (act) await publishUpdate(ctx, component, act, state);
}

/**
 * Probes the components of this server and publishes a service issue for everyone about long failures. It is not a job, because
 * a stuck queue could not report itself. In each half minute, the first process probes.
 */
export function createWatch(deps: Deps): () => Promise<void> {
  const ctx = systemCtx(deps);
  /** During a database outage nothing can be written, so the outage is stored in memory. */
  let outage: { since: number; until: number } | undefined;
  let isLooking = false;

  async function lookAtDatabase(now: number): Promise<{ isDue: boolean; problem: ComponentProblem } | undefined> {
    const start = performance.now();
    try {
      const isDue = await changeKnown(ctx, async (ctx, known) => {
        if (outage) await note(ctx, known, 'database', { at: outage.until, reason: 'down', since: outage.since });
        const isMine = now - known.lookedAt >= WATCH_INTERVAL * 0.8;
        if (isMine) known.lookedAt = now;
        return isMine;
      });
      outage = undefined;
      return { isDue, problem: performance.now() - start > SLOW ? 'slow' : undefined };
    } catch (err) {
      outage = { since: outage?.since ?? now, until: now };
      deps.log.error({ err }, 'the watchdog failed to write to the database');
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
      const found = { database: database.problem, ...(await probeComponents(deps)) };
      await changeKnown(ctx, async (ctx, known) => {
        for (const component of componentNames) await note(ctx, known, component, { at, reason: found[component] });
      });
    } finally {
      isLooking = false;
    }
  };
}

export function startWatchdog(deps: Deps): Stop | undefined {
  if (deps.config.watchdogMinutes === 0) return undefined;
  return repeat(deps.log, { task: 'the watchdog', intervalMs: WATCH_INTERVAL, run: createWatch(deps) });
}
