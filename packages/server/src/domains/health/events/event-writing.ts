import type { Actor, Ctx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { badRequest, conflict } from '../../../kernel/errors.ts';
import { isServiceAddress } from '../../accounts/index.ts';
import { type AuditAction, auditFields, record } from '../../audit/index.ts';
import { buildIndexEntries, buildRow, refuseTooWide } from './event-rows.ts';
import { type EventDraft, settle } from './event-rules.ts';
import {
  deleteIndexEntries,
  type EventRow,
  insertEvent,
  insertIndexEntries,
  type StoredEvent,
  updateEvent,
} from './health-events.store.ts';
import { type Event, type EventProperties, parseStored, render } from './rendering.ts';
import { ArticleProblem, sanitiseArticle } from './sanitise.ts';

/** The author in the terms of `systemData`. */
function author(actor: Actor): { by: string; type: Event['systemData']['createdByType'] } {
  if (actor.kind !== 'user') return { by: 'mooring', type: 'Application' };
  const { user, credential } = actor;
  const isProgram = isServiceAddress(user.email) || (credential.kind === 'oauth' && credential.isClientItself === true);
  if (isProgram) return { by: user.email, type: 'Application' };
  return { by: user.email, type: credential.kind === 'token' ? 'Key' : 'User' };
}

export const eventSubject = (name: string) => ({ kind: 'health_event', id: name, name }) as const;

/** The audit action: publish, resolve, reopen or update. */
function getAuditAction(before: StoredEvent | undefined, row: EventRow): AuditAction {
  if (!before) return 'health_event.publish';
  if (before.status === row.status) return 'health_event.update';
  return row.status === 'Resolved' ? 'health_event.resolve' : 'health_event.reopen';
}

/** A stored article has been sanitized already. */
async function withSafeArticle(draft: EventDraft, before: EventProperties | undefined): Promise<EventDraft> {
  const html = draft.article?.articleContent;
  if (html === undefined || html === before?.article?.articleContent) return draft;
  try {
    return { ...draft, article: { ...draft.article, articleContent: await sanitiseArticle(html) } };
  } catch (error) {
    if (error instanceof ArticleProblem) throw badRequest(`properties.article.articleContent: ${error.message}`);
    throw error;
  }
}

export interface Writing {
  trackingId: string;
  /** The event before the change, locked. */
  found: StoredEvent | undefined;
  change(before: EventProperties | undefined, now: number): EventDraft;
  /** Preserves times; an identical event changes nothing, and new events are not audited one by one. */
  isImport?: true;
}

export interface Written {
  row: EventRow;
  seq: number;
  kind: 'published' | 'updated' | 'unchanged';
  /** The event before the change. */
  before: StoredEvent | undefined;
}

const audited = auditFields('title', 'status', 'priority');

/** Writes an event, in the transaction that locked it. Refuses before writing anything. */
export async function write(ctx: Ctx, { trackingId, found, change, isImport }: Writing): Promise<Written> {
  const before = found && parseStored(found.body);
  const clock = ctx.clock.now();
  // Later than the last change even if the clock stands still, so that readers who page miss nothing.
  const now = isImport ? clock : Math.max(clock, found ? 1 - found.sort_at : 0);
  const safe = await withSafeArticle(change(before?.properties, now), before?.properties);
  if (isImport && found && before) {
    const again = settle(safe, before.properties, {
      now: Date.parse(before.systemData.lastModifiedAt),
      preservesTimes: true,
    });
    if (render(found.name, before.systemData, again) === found.body) {
      return {
        row: buildRow(found.name, found.revision, before.systemData, again),
        seq: found.seq,
        kind: 'unchanged',
        before: found,
      };
    }
  }
  const properties = settle(safe, before?.properties, { now, preservesTimes: isImport });
  const { by, type } = author(ctx.actor);
  const at = toIso(clock);
  const systemData: Event['systemData'] = {
    createdAt: before?.systemData.createdAt ?? at,
    createdBy: before?.systemData.createdBy ?? by,
    createdByType: before?.systemData.createdByType ?? type,
    lastModifiedAt: at,
    lastModifiedBy: by,
    lastModifiedByType: type,
  };
  const row = buildRow(found?.name ?? trackingId, (found?.revision ?? 0) + 1, systemData, properties);
  const entries = buildIndexEntries(row, found?.seq ?? 0);
  refuseTooWide(entries);
  const seq = found?.seq ?? (await insertEvent.first(ctx.db, row))?.seq;
  if (seq === undefined)
    throw conflict(`Another request has just published the event ${trackingId}. Read it, then send your change again.`);
  if (found) {
    await deleteIndexEntries(ctx.db, buildIndexEntries(found, seq));
    await updateEvent.run(ctx.db, { ...row, seq });
  }
  await insertIndexEntries(ctx.db, { ...entries, seq });
  if (!isImport || found) {
    const values = { before: before && audited(before.properties), after: audited(properties) };
    await record(ctx, getAuditAction(found, row), eventSubject(row.name), values);
  }
  return { row, seq, kind: found ? 'updated' : 'published', before: found };
}
