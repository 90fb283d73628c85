import type { Actor, Ctx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { badRequest, conflict } from '../../../kernel/errors.ts';
import { isServiceAddress } from '../../accounts/index.ts';
import { type AuditAction, auditFields, record } from '../../audit/index.ts';
import { indexEntriesOf, refuseTooWide, rowOf } from './event-rows.ts';
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

/** Who does it, in the words of `systemData`. */
function author(actor: Actor): { by: string; type: Event['systemData']['createdByType'] } {
  if (actor.kind !== 'user') return { by: 'mooring', type: 'Application' };
  const { user, credential } = actor;
  const isProgram = isServiceAddress(user.email) || (credential.kind === 'oauth' && credential.isClientItself === true);
  if (isProgram) return { by: user.email, type: 'Application' };
  return { by: user.email, type: credential.kind === 'token' ? 'Key' : 'User' };
}

export const subjectOf = (name: string) => ({ kind: 'health_event', id: name, name }) as const;

/** What a change is called: the first publication, an end, a new beginning, or just an update. */
function actionOf(before: StoredEvent | undefined, row: EventRow): AuditAction {
  if (!before) return 'health_event.publish';
  if (before.status === row.status) return 'health_event.update';
  return row.status === 'Resolved' ? 'health_event.resolve' : 'health_event.reopen';
}

/** What was stored is safe already. */
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
  /** As it is, locked; nothing if there is none. */
  found: StoredEvent | undefined;
  change(before: EventProperties | undefined, now: number): EventDraft;
  /** Times are taken as they are given; what says the same again changes nothing, and what is new is not recorded. */
  isImport?: true;
}

export interface Written {
  row: EventRow;
  seq: number;
  kind: 'published' | 'updated' | 'unchanged';
  /** As it was, if it was. */
  before: StoredEvent | undefined;
}

const audited = auditFields('title', 'status', 'priority');

/** Writes an event, in the transaction that locked it. A refusal comes before anything is written. */
export async function write(ctx: Ctx, { trackingId, found, change, isImport }: Writing): Promise<Written> {
  const before = found && parseStored(found.body);
  const clock = ctx.clock.now();
  // Later than the last change even if the clock stands still, so that nobody who pages misses it.
  const now = isImport ? clock : Math.max(clock, found ? 1 - found.sort_at : 0);
  const safe = await withSafeArticle(change(before?.properties, now), before?.properties);
  if (isImport && found && before) {
    const again = settle(safe, before.properties, {
      now: Date.parse(before.systemData.lastModifiedAt),
      keepsTimes: true,
    });
    if (render(found.name, before.systemData, again) === found.body) {
      return {
        row: rowOf(found.name, found.revision, before.systemData, again),
        seq: found.seq,
        kind: 'unchanged',
        before: found,
      };
    }
  }
  const properties = settle(safe, before?.properties, { now, keepsTimes: isImport });
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
  const row = rowOf(found?.name ?? trackingId, (found?.revision ?? 0) + 1, systemData, properties);
  const entries = indexEntriesOf(row, found?.seq ?? 0);
  refuseTooWide(entries);
  const seq = found?.seq ?? (await insertEvent.first(ctx.db, row))?.seq;
  if (seq === undefined) throw conflict(`The event ${trackingId} was published by somebody else just now.`);
  if (found) {
    await deleteIndexEntries(ctx.db, indexEntriesOf(found, seq));
    await updateEvent.run(ctx.db, { ...row, seq });
  }
  await insertIndexEntries(ctx.db, { ...entries, seq });
  if (!isImport || found) {
    const values = { before: before && audited(before.properties), after: audited(properties) };
    await record(ctx, actionOf(found, row), subjectOf(row.name), values);
  }
  return { row, seq, kind: found ? 'updated' : 'published', before: found };
}
