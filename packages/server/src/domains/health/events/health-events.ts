import { setImmediate } from 'node:timers/promises';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { toIso } from '../../../kernel/clock.ts';
import { conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { fromLines, toLines } from '../listing/facets.ts';
import { EVERYONE, type Reader, renderFor } from '../listing/listing.ts';
import { announce, type HealthChange } from './changes.ts';
import { buildIndexEntries, toKey } from './event-rows.ts';
import { type EventDraft, findRegion } from './event-rules.ts';
import { eventSubject, type Written, write } from './event-writing.ts';
import {
  deleteEvent,
  deleteIndexEntries,
  findEvent,
  lockEvent,
  lockEvents,
  readVersion,
  type StoredEvent,
} from './health-events.store.ts';
import { type EventProperties, parseStored } from './rendering.ts';

/** An event as its reader sees it, and the ETag for conditional changes. */
export interface ReadEvent {
  json: string;
  etag: string;
}

const toEtag = ({ seq, revision }: Pick<StoredEvent, 'seq' | 'revision'>): string => `"${seq}.${revision}"`;

const noEvent = (trackingId: string) => notFound('event', trackingId);

const concerns = ({ audiences }: Reader, event: StoredEvent): boolean =>
  audiences === 'all' || fromLines(event.audiences).some((audience) => audiences.has(audience));

/** Returns the version, which increases with every change on any process, and the time of the last change. */
export async function versionNow({ db }: Pick<Deps, 'db'>): Promise<{ version: number; changedAt: number }> {
  const row = await readVersion.first(db);
  return { version: row?.version ?? 0, changedAt: row?.changed_at ?? 0 };
}

export async function getEvent(ctx: Ctx, reader: Reader, trackingId: string): Promise<ReadEvent> {
  const found = await findEvent.first(ctx.db, { key: toKey(trackingId) });
  if (!found || !concerns(reader, found)) throw noEvent(trackingId);
  return { json: renderFor(ctx, reader, found.body), etag: toEtag(found) };
}

export interface Preconditions {
  /** Change the event only if it still has one of these ETags. */
  ifMatch?: string;
  /** Publish only if the event does not exist. */
  ifNone?: boolean;
}

function requireMatch({ ifMatch, ifNone }: Preconditions, found: StoredEvent | undefined, trackingId: string): void {
  if (ifNone && found)
    throw new Failure(
      'PreconditionFailed',
      `The event ${found.name} already exists. Choose another tracking ID, or send If-Match to change it.`,
    );
  if (ifMatch === undefined) return;
  const etags = ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''));
  if (!found || !(etags.includes('*') || etags.includes(toEtag(found)))) {
    throw new Failure(
      'PreconditionFailed',
      `The event ${trackingId} was changed or deleted since you read it. Read it again, then send your change.`,
    );
  }
}

export interface Publication {
  trackingId: string;
  draft: EventDraft;
}

const published = (ctx: Pick<Deps, 'config'>, { row, seq, kind }: Written): ReadEvent & { isNew: boolean } => ({
  json: renderFor(ctx, { id: '', audiences: 'all' }, row.body),
  etag: toEtag({ seq, revision: row.revision }),
  isNew: kind === 'published',
});

function getChangeKind({ row, before }: Written): HealthChange['kind'] {
  if (!before) return 'published';
  return row.status === 'Resolved' && before.status !== 'Resolved' ? 'resolved' : 'updated';
}

/** Readers who are no longer in the audience of an event receive a withdrawal. */
function listChanges(written: Written): HealthChange[] {
  const { row, before } = written;
  const { name, body, audiences } = row;
  const change: HealthChange = { kind: getChangeKind(written), name, body, audiences };
  const still = new Set(fromLines(audiences));
  const lost = before ? fromLines(before.audiences).filter((audience) => !still.has(audience)) : [];
  if (!before || lost.length === 0 || still.has(EVERYONE)) return [change];
  return [change, { kind: 'withdrawn', name, body: before.body, audiences: toLines(lost), except: audiences }];
}

/** Publishes an event, or replaces it. */
export const publishEvent = (
  ctx: Ctx,
  { trackingId, draft }: Publication,
  preconditions: Preconditions = {},
): Promise<ReadEvent & { isNew: boolean }> =>
  tx(ctx, async (ctx) => {
    const found = await lockEvent.first(ctx.db, { key: toKey(trackingId) });
    requireMatch(preconditions, found, trackingId);
    const written = await write(ctx, { trackingId, found, change: () => draft });
    await announce(ctx, listChanges(written));
    return published(ctx, written);
  });

export type Outcome = 'imported' | 'replaced' | 'unchanged' | Failure;

const outcomes = { published: 'imported', updated: 'replaced', unchanged: 'unchanged' } as const;

/**
 * Publishes events in one transaction; a refused event does not affect the others. Preserves times. Replaced events are audited
 * here; the caller audits the new ones together.
 */
export const publishEvents = (ctx: Ctx, batch: readonly Publication[]): Promise<Outcome[]> =>
  tx(ctx, async (ctx) => {
    // In the order of their keys, so that two batches never deadlock.
    const ordered = batch.map((publication, at) => ({ ...publication, at, key: toKey(publication.trackingId) }));
    ordered.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at));
    const keys = [...new Set(ordered.map(({ key }) => key))];
    const known = new Map((await lockEvents(ctx.db, keys)).map((event) => [toKey(event.name), event]));
    const results: Outcome[] = [];
    const changes: HealthChange[] = [];
    for (const { trackingId, draft, at, key } of ordered) {
      // SQLite blocks this thread: let other requests run in between.
      await setImmediate();
      try {
        const written = await write(ctx, { trackingId, found: known.get(key), change: () => draft, isImport: true });
        known.set(key, { ...written.row, seq: written.seq });
        if (written.kind !== 'unchanged') changes.push(...listChanges(written));
        results[at] = outcomes[written.kind];
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        results[at] = error;
      }
    }
    if (changes.length > 0) await announce(ctx, changes);
    return results;
  });

/** Changes an existing event, based on its current state. */
export const changeEvent = (
  ctx: Ctx,
  trackingId: string,
  change: (before: EventProperties, now: number) => EventDraft,
  preconditions: Preconditions = {},
): Promise<ReadEvent> =>
  tx(ctx, async (ctx) => {
    const found = await lockEvent.first(ctx.db, { key: toKey(trackingId) });
    if (!found) throw noEvent(trackingId);
    requireMatch(preconditions, found, trackingId);
    const written = await write(ctx, {
      trackingId,
      found,
      change: (before, now) => change(before as EventProperties, now),
    });
    await announce(ctx, listChanges(written));
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
      if (updates.length >= MAX_UPDATES)
        throw conflict(
          `The region already has ${MAX_UPDATES} updates, the maximum. Publish a new event for further updates.`,
        );
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
    const found = await lockEvent.first(ctx.db, { key: toKey(trackingId) });
    if (!found) throw noEvent(trackingId);
    requireMatch(preconditions, found, trackingId);
    await deleteIndexEntries(ctx.db, buildIndexEntries(found, found.seq));
    await deleteEvent.run(ctx.db, { seq: found.seq });
    const { title } = parseStored(found.body).properties;
    await record(ctx, 'health_event.withdraw', eventSubject(found.name), { before: { title, status: found.status } });
    const { name, body, audiences } = found;
    await announce(ctx, [{ kind: 'withdrawn', name, body, audiences }]);
  });
