import type { Actor, Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest, conflict, Failure, notFound } from '../../kernel/errors.ts';
import { type AuditAction, record } from '../audit/index.ts';
import { announce, type HealthChange } from './changes.ts';
import { type EventSaid, findRegion, settle } from './event-rules.ts';
import {
  deleteEvent,
  deletePlaces,
  type EventRow,
  findEvent,
  insertEvent,
  insertPlaces,
  lockEvent,
  type Places,
  readVersion,
  type StoredEvent,
  updateEvent,
} from './events.store.ts';
import { fromLines, plainFacets, regionFacet, serviceFacet, toLines } from './facets.ts';
import { EVERYONE, type Reader, renderFor } from './listing.ts';
import { type Event, type EventProperties, parseStored, render } from './rendering.ts';
import { sanitiseArticle } from './sanitise.ts';

/** An event as its reader gets it, and the ETag that guards a change of it. */
export interface ReadEvent {
  json: string;
  etag: string;
}

const etagOf = ({ seq, revision }: Pick<StoredEvent, 'seq' | 'revision'>): string => `"${seq}.${revision}"`;

const keyOf = (trackingId: string): string => trackingId.toLowerCase();

const noEvent = (trackingId: string) => notFound('event', trackingId);

const concerns = ({ audiences }: Reader, event: StoredEvent): boolean =>
  audiences === 'all' || fromLines(event.audiences).some((audience) => audiences.has(audience));

/** Grows with every change, on every process. */
export const versionNow = async ({ db }: Pick<Deps, 'db'>): Promise<number> =>
  (await readVersion.first(db))?.version ?? 0;

export async function getEvent(ctx: Ctx, reader: Reader, trackingId: string): Promise<ReadEvent> {
  const found = await findEvent.first(ctx.db, { key: keyOf(trackingId) });
  if (!found || !concerns(reader, found)) throw noEvent(trackingId);
  return { json: renderFor(ctx, reader, found.body), etag: etagOf(found) };
}

/** Everybody who can be named once would be a row for each of their services and regions. */
const MAX_PLACES = 20_000;

/** Whom an event is for: those whom its regions name, and everyone if one of them names nobody or there is none. */
function audiencesOf({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  const named = regions.map((region) => [...(region.impactedSubscriptions ?? []), ...(region.impactedTenants ?? [])]);
  const isForEveryone = named.length === 0 || named.some((ids) => ids.length === 0);
  return [...new Set([...(isForEveryone ? [EVERYONE] : []), ...named.flat()])];
}

function namesOf({ impact = [] }: EventProperties): string[] {
  const regions = impact.flatMap(({ impactedRegions = [] }) => impactedRegions);
  return [
    ...new Set([
      ...impact.map(({ impactedService }) => serviceFacet(impactedService)),
      ...regions.map(({ impactedRegion }) => regionFacet(impactedRegion)),
    ]),
  ];
}

/** Where it stands, or stood, in the index. */
export function placesOf(
  row: Pick<StoredEvent, 'event_type' | 'status' | 'is_hir' | 'facets' | 'audiences' | 'sort_at' | 'name'>,
  seq: number,
): Places {
  const plain = plainFacets({ eventType: row.event_type, status: row.status, isHir: row.is_hir === 1 });
  const names = fromLines(row.facets).filter((facet) => facet !== '');
  return {
    audiences: fromLines(row.audiences),
    facets: [...plain, ...names],
    sortAt: row.sort_at,
    name: row.name,
    seq,
  };
}

export function rowOf(
  name: string,
  revision: number,
  systemData: Event['systemData'],
  properties: EventProperties,
): EventRow {
  return {
    name,
    name_key: keyOf(name),
    revision,
    sort_at: -Date.parse(properties.lastUpdateTime),
    event_type: properties.eventType,
    event_source: properties.eventSource ?? '',
    status: properties.status ?? 'Active',
    event_level: properties.eventLevel ?? '',
    level: properties.level ?? '',
    is_hir: properties.isHIR ? 1 : 0,
    priority: properties.priority,
    impact_start_at: Date.parse(properties.impactStartTime ?? properties.lastUpdateTime),
    facets: toLines(namesOf(properties)),
    audiences: toLines(audiencesOf(properties)),
    body: render(name, systemData, properties),
  };
}

/** Who does it, in the words of `systemData`. */
function author(actor: Actor): { by: string; type: Event['systemData']['createdByType'] } {
  if (actor.kind !== 'user') return { by: 'mooring', type: 'Application' };
  return { by: actor.user.email, type: actor.credential.kind === 'token' ? 'Key' : 'User' };
}

export interface Preconditions {
  /** Only if it is still as it was read. */
  ifMatch?: string;
  /** Only if it does not exist. */
  ifNone?: boolean;
}

function requireMatch({ ifMatch, ifNone }: Preconditions, found: StoredEvent | undefined, trackingId: string): void {
  if (ifNone && found) throw new Failure('PreconditionFailed', `There is an event ${found.name} already.`);
  if (ifMatch === undefined) return;
  const etags = ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''));
  if (!found || !(etags.includes('*') || etags.includes(etagOf(found)))) {
    throw new Failure('PreconditionFailed', `The event ${trackingId} is no longer as you read it; read it again.`);
  }
}

export interface Publication {
  trackingId: string;
  said: EventSaid;
}

interface Written {
  row: EventRow;
  seq: number;
  isNew: boolean;
}

/** What a change is called: the first publication, an end, a new beginning, or just an update. */
function actionOf(before: StoredEvent | undefined, row: EventRow): AuditAction {
  if (!before) return 'health_event.publish';
  if (before.status === row.status) return 'health_event.update';
  return row.status === 'Resolved' ? 'health_event.resolve' : 'health_event.reopen';
}

async function write(
  ctx: Ctx,
  trackingId: string,
  found: StoredEvent | undefined,
  change: (before: EventProperties | undefined, now: number) => EventSaid,
  keepsTimes: boolean,
): Promise<Written> {
  const before = found && parseStored(found.body);
  // Later than the last change even if the clock stands still, so that nobody who pages misses it.
  const now = Math.max(ctx.clock.now(), found ? 1 - found.sort_at : 0);
  const said = change(before?.properties, now);
  const safe = await withSafeArticle(said, before?.properties);
  const properties = settle(safe, before?.properties, { now, keepsTimes });
  const { by, type } = author(ctx.actor);
  const at = toIso(ctx.clock.now());
  const systemData: Event['systemData'] = {
    createdAt: before?.systemData.createdAt ?? at,
    createdBy: before?.systemData.createdBy ?? by,
    createdByType: before?.systemData.createdByType ?? type,
    lastModifiedAt: at,
    lastModifiedBy: by,
    lastModifiedByType: type,
  };
  const row = rowOf(found?.name ?? trackingId, (found?.revision ?? 0) + 1, systemData, properties);
  const places = placesOf(row, found?.seq ?? 0);
  refuseTooWide(places);
  const seq = found?.seq ?? (await insertEvent.first(ctx.db, row))?.seq;
  if (seq === undefined) throw conflict(`The event ${trackingId} was published by somebody else just now.`);
  if (found) {
    await deletePlaces(ctx.db, placesOf(found, seq));
    await updateEvent.run(ctx.db, { ...row, seq });
  }
  await insertPlaces(ctx.db, { ...places, seq });
  const facts = ({ status, priority }: { status: string; priority?: number }, title: string) => ({
    title,
    status,
    priority,
  });
  await record(ctx, actionOf(found, row), subjectOf(row.name), {
    ...(found && before ? { before: facts(found, before.properties.title) } : {}),
    after: facts(row, properties.title),
  });
  return { row, seq, isNew: !found };
}

const subjectOf = (name: string) => ({ kind: 'health_event', id: name, name }) as const;

/** What was stored is safe already. */
async function withSafeArticle(said: EventSaid, before: EventProperties | undefined): Promise<EventSaid> {
  const html = said.article?.articleContent;
  if (html === undefined || html === before?.article?.articleContent) return said;
  return { ...said, article: { ...said.article, articleContent: await sanitiseArticle(html) } };
}

function refuseTooWide({ audiences, facets }: Places): void {
  if (audiences.length * facets.length <= MAX_PLACES) return;
  throw badRequest(
    `properties.impact names ${audiences.length} subscriptions and tenants together with ${facets.length} services and regions; split the event, or name fewer.`,
  );
}

const published = (ctx: Pick<Deps, 'config'>, { row, seq, isNew }: Written): ReadEvent & { isNew: boolean } => ({
  json: renderFor(ctx, { id: '', audiences: 'all' }, row.body),
  etag: etagOf({ seq, revision: row.revision }),
  isNew,
});

const changed = ({ row, isNew }: Written): HealthChange => ({
  kind: isNew ? 'published' : 'updated',
  trackingId: row.name,
});

/** Publishes an event, or replaces it. */
export const publishEvent = (
  ctx: Ctx,
  { trackingId, said }: Publication,
  preconditions: Preconditions = {},
): Promise<ReadEvent & { isNew: boolean }> =>
  tx(ctx, async (ctx) => {
    const found = await lockEvent.first(ctx.db, { key: keyOf(trackingId) });
    requireMatch(preconditions, found, trackingId);
    const written = await write(ctx, trackingId, found, () => said, false);
    await announce(ctx, [changed(written)]);
    return published(ctx, written);
  });

/** Publishes many in one transaction; their times are taken as they are given. */
export const publishEvents = (ctx: Ctx, batch: readonly Publication[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const changes: HealthChange[] = [];
    for (const { trackingId, said } of batch) {
      const found = await lockEvent.first(ctx.db, { key: keyOf(trackingId) });
      changes.push(changed(await write(ctx, trackingId, found, () => said, true)));
    }
    if (changes.length > 0) await announce(ctx, changes);
  });

/** Changes an event that exists, by what it was. */
export const changeEvent = (
  ctx: Ctx,
  trackingId: string,
  change: (before: EventProperties, now: number) => EventSaid,
  preconditions: Preconditions = {},
): Promise<ReadEvent> =>
  tx(ctx, async (ctx) => {
    const found = await lockEvent.first(ctx.db, { key: keyOf(trackingId) });
    if (!found) throw noEvent(trackingId);
    requireMatch(preconditions, found, trackingId);
    const written = await write(ctx, trackingId, found, (before, now) => change(before as EventProperties, now), false);
    await announce(ctx, [changed(written)]);
    return published(ctx, written);
  });

export interface NewUpdate {
  service: string;
  region: string;
  summary: string;
  status?: EventProperties['status'];
}

const MAX_UPDATES = 500;

/** Adds an update, newest first, to a region of a service. */
export const addUpdate = (
  ctx: Ctx,
  trackingId: string,
  { service, region: regionName, summary, status }: NewUpdate,
  preconditions: Preconditions = {},
): Promise<ReadEvent> =>
  changeEvent(
    ctx,
    trackingId,
    (before, now) => {
      const region = findRegion(before, service, regionName);
      if (!region) throw notFound(`region "${regionName}" of the service`, service);
      const { updates = [] } = region;
      if (updates.length >= MAX_UPDATES) throw conflict(`The region has ${MAX_UPDATES} updates, which is the most.`);
      const changed = {
        ...region,
        status: status ?? region.status,
        updates: [{ summary, updateDateTime: toIso(now) }, ...updates],
      };
      const impact = before.impact?.map((each) => ({
        ...each,
        impactedRegions: each.impactedRegions?.map((one) => (one === region ? changed : one)),
      }));
      return { ...before, impact };
    },
    preconditions,
  );

export const withdrawEvent = (ctx: Ctx, trackingId: string, preconditions: Preconditions = {}): Promise<void> =>
  tx(ctx, async (ctx) => {
    const found = await lockEvent.first(ctx.db, { key: keyOf(trackingId) });
    if (!found) throw noEvent(trackingId);
    requireMatch(preconditions, found, trackingId);
    await deletePlaces(ctx.db, placesOf(found, found.seq));
    await deleteEvent.run(ctx.db, { seq: found.seq });
    const { title } = parseStored(found.body).properties;
    await record(ctx, 'health_event.withdraw', subjectOf(found.name), { before: { title, status: found.status } });
    await announce(ctx, [{ kind: 'withdrawn', trackingId: found.name }]);
  });
