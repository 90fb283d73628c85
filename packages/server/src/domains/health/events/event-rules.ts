import type { EventInput } from '@mooring/contract';
import type { Static } from 'typebox';
import { SECOND, toIso } from '../../../kernel/clock.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { foldCase } from '../filter/facet-names.ts';
import { getPriority } from './priority.ts';
import type { EventProperties, Impact, Region } from './rendering.ts';

/** The fields that an operator sends; an import may also send the time of the last change. */
export type EventDraft = Static<typeof EventInput> & { lastUpdateTime?: string };

export interface Rules {
  now: number;
  /** For an import: preserves the times of updates. */
  preservesTimes?: boolean;
}

const isIso = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/;

/** Most times are already in the stored format, and parsing them would take a large part of an import. */
const iso = (text: string): string => (isIso.test(text) ? text : toIso(Date.parse(text)));

/** Refuses names that are equal regardless of case: an update could not distinguish them. */
function refuseRepeats(what: string, names: string[]): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (seen.has(foldCase(name))) throw badRequest(`properties.${what.replace('*', String(at))} repeats "${name}".`);
    seen.add(foldCase(name));
  }
}

const unique = (ids: readonly string[] | undefined): string[] => [
  ...new Set((ids ?? []).map((id) => id.toLowerCase())),
];

const isSame = (a: Region, b: Region): boolean =>
  JSON.stringify({ ...a, lastUpdateTime: '' }) === JSON.stringify({ ...b, lastUpdateTime: '' });

function settleRegion(draft: Region, before: Region | undefined, fallback: Region['status'], rules: Rules): Region {
  const now = toIso(rules.now);
  const region: Region = {
    impactedRegion: draft.impactedRegion,
    status: draft.status ?? fallback,
    impactedSubscriptions: unique(draft.impactedSubscriptions),
    impactedTenants: unique(draft.impactedTenants),
    lastUpdateTime: now,
    updates: draft.updates?.map(({ summary, updateDateTime }) => ({
      summary,
      updateDateTime: updateDateTime ? iso(updateDateTime) : now,
    })),
  };
  if (rules.preservesTimes && draft.lastUpdateTime) return { ...region, lastUpdateTime: iso(draft.lastUpdateTime) };
  return before?.lastUpdateTime && isSame(region, before)
    ? { ...region, lastUpdateTime: before.lastUpdateTime }
    : region;
}

const find = (impacts: readonly Impact[] | undefined, service: string): Impact | undefined =>
  impacts?.find(({ impactedService }) => foldCase(impactedService) === foldCase(service));

/** Finds a region of a service; ignores case. */
export const findRegion = (
  { impact }: Pick<EventProperties, 'impact'>,
  service: string,
  region: string,
): Region | undefined =>
  find(impact, service)?.impactedRegions?.find(({ impactedRegion }) => foldCase(impactedRegion) === foldCase(region));

function settleImpact(draft: EventDraft, before: EventProperties | undefined, rules: Rules): Impact[] | undefined {
  refuseRepeats('impact.*.impactedService', draft.impact?.map(({ impactedService }) => impactedService) ?? []);
  return draft.impact?.map(({ impactedService, impactedServiceGuid, impactedRegions = [] }, at) => {
    const names = impactedRegions.map(({ impactedRegion }) => impactedRegion);
    refuseRepeats(`impact.${at}.impactedRegions.*.impactedRegion`, names);
    const regions = impactedRegions.map((region) => {
      const old = before && findRegion(before, impactedService, region.impactedRegion);
      return settleRegion(region, old, draft.status ?? 'Active', rules);
    });
    return { impactedService, impactedServiceGuid, impactedRegions: regions };
  });
}

/** The end of the event: the time in the draft, or now. While the event is active, only a future end is stored. */
function getMitigationTime(draft: EventDraft, before: EventProperties | undefined, isResolved: boolean, rules: Rules) {
  const declared = draft.impactMitigationTime && Date.parse(draft.impactMitigationTime);
  if (rules.preservesTimes) return declared;
  if (!isResolved) return declared && declared > rules.now ? declared : undefined;
  if (declared && declared <= rules.now) return declared;
  const was = before?.status === 'Resolved' && before.impactMitigationTime;
  return was ? Date.parse(was) : rules.now;
}

interface SentFields {
  status?: unknown;
  impactMitigationTime?: unknown;
  priority?: unknown;
}

/**
 * Refuses fields whose published value would differ from the sent one. `sent` has the fields of the request alone, `draft` the
 * whole event after the change.
 */
export function refuseContradictions(sent: SentFields, draft: EventDraft, now: number): void {
  const regions = draft.impact?.flatMap(({ impactedRegions = [] }) => impactedRegions) ?? [];
  const statuses = regions.map(({ status }) => status ?? draft.status ?? 'Active');
  const active = regions.find((_, at) => statuses[at] === 'Active');
  const status = (regions.length > 0 ? active === undefined : draft.status === 'Resolved') ? 'Resolved' : 'Active';
  if (sent.status === 'Resolved' && active) {
    throw badRequest(
      `properties.status is Resolved, but the region "${active.impactedRegion}" is Active. An event is resolved when all of its regions are: resolve the region, or omit properties.status.`,
    );
  }
  if (sent.status === 'Active' && status === 'Resolved') {
    throw badRequest(
      'properties.status is Active, but every region is Resolved. An event is active while one of its regions is: set a region to Active, or omit properties.status.',
    );
  }
  if (typeof sent.impactMitigationTime === 'string') {
    const isPast = Date.parse(sent.impactMitigationTime) <= now;
    if (isPast && status === 'Active') {
      throw badRequest(
        'properties.impactMitigationTime is in the past, but the event is Active. Set the status to Resolved, or send a future time.',
      );
    }
    if (!isPast && status === 'Resolved') {
      throw badRequest(
        'properties.impactMitigationTime is in the future, but the event is Resolved. Set the status to Active, or send the time when it was resolved.',
      );
    }
  }
  const priority = getPriority({ ...draft, status });
  if (sent.priority != null && sent.priority !== priority) {
    throw badRequest(
      `properties.priority follows from eventType, eventLevel and status, and is ${priority} for this event. Omit it.`,
    );
  }
}

/** The event to publish: the draft and everything derived from it. */
export function settle(draft: EventDraft, before: EventProperties | undefined, rules: Rules): EventProperties {
  const impact = settleImpact(draft, before, rules);
  const regions = impact?.flatMap(({ impactedRegions = [] }) => impactedRegions) ?? [];
  const isResolved =
    regions.length > 0 ? regions.every(({ status }) => status === 'Resolved') : draft.status === 'Resolved';
  const startTime = draft.impactStartTime ?? before?.impactStartTime;
  const start = startTime ? Date.parse(startTime) : rules.now;
  const end = getMitigationTime(draft, before, isResolved, rules);
  if (draft.impactMitigationTime && end === Date.parse(draft.impactMitigationTime) && end < start) {
    throw badRequest('properties.impactMitigationTime must not be before impactStartTime.');
  }
  const updated = rules.preservesTimes && draft.lastUpdateTime ? Date.parse(draft.lastUpdateTime) : rules.now;
  const status = isResolved ? ('Resolved' as const) : ('Active' as const);
  return {
    ...draft,
    status,
    impact,
    impactStartTime: toIso(start),
    impactMitigationTime: end ? toIso(end) : undefined,
    isHIR: draft.isHIR ?? false,
    priority: getPriority({ ...draft, status }),
    duration: end ? Math.max(0, Math.floor((end - start) / SECOND)) : undefined,
    lastUpdateTime: toIso(updated),
  };
}
