import type { Actor, AppCtx, Credential, Ctx, Deps, OrgCtx } from '../../context.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { type ListInput, type Page, readList } from '../../kernel/paging.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import {
  type AuditFilter,
  type AuditRow,
  deleteOldAuditEvents,
  insertAuditEvent,
  pageAuditEvents,
} from './audit.store.ts';

const valuesCodec = jsonCodec('audit_entries.before, after', objectOutline<AuditValues>());

/** Each domain adds its recorded actions and their subjects in its `<domain>.audit.ts`. */
export interface AuditActions {
  audit: { action: never; subject: never };
}

export type AuditAction = AuditActions[keyof AuditActions]['action'];

export interface Subject {
  kind: AuditActions[keyof AuditActions]['subject'];
  id: string;
  name?: string;
  /** The organization and app whose admins and managers may read the event. */
  orgId?: string;
  appId?: string;
}

type AuditValue = string | number | boolean | null | undefined;
type AuditValues = Record<string, AuditValue>;

export interface AuditEvent {
  id: string;
  at: number;
  action: string;
  actor: {
    kind: Actor['kind'];
    userId: string | undefined;
    name: string | undefined;
    credential: Credential['kind'] | undefined;
    tokenId: string | undefined;
    clientId: string | undefined;
  };
  subject: Subject;
  address: string | undefined;
  requestId: string | undefined;
  before: AuditValues | undefined;
  after: AuditValues | undefined;
}

const noActor = {
  actor_user_id: null,
  actor_name: null,
  actor_credential: null,
  actor_token_id: null,
  actor_client_id: null,
};

function actorColumns(actor: Actor) {
  const actor_kind = actor.kind;
  if (actor.kind === 'user') {
    const { user, credential } = actor;
    return {
      actor_kind,
      actor_user_id: user.id,
      actor_name: user.name,
      actor_credential: credential.kind,
      actor_token_id: credential.kind === 'token' ? credential.id : null,
      actor_client_id: (credential.kind === 'oauth' && credential.clientId) || null,
    };
  }
  if (actor.kind === 'app') {
    const { createdBy, tokenId } = actor;
    const maker = { actor_user_id: createdBy.id, actor_name: createdBy.name };
    return { ...noActor, actor_kind, ...maker, actor_credential: 'token', actor_token_id: tokenId } as const;
  }
  if (actor.kind === 'directory') {
    const { orgName, tokenId } = actor;
    return { ...noActor, actor_kind, actor_name: orgName, actor_credential: 'token', actor_token_id: tokenId } as const;
  }
  return { ...noActor, actor_kind };
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Picks these fields for `record`: `displayName` is recorded as `display_name`, and lists as text. */
export const auditFields =
  <K extends string>(...names: K[]) =>
  <T>(
    of: T & { readonly [name in K]?: AuditValue | readonly string[] } & Record<Exclude<K, keyof T>, never>,
  ): AuditValues =>
    Object.fromEntries(
      names.map((name): [string, AuditValue] => {
        const value: AuditValue | readonly string[] = of[name];
        return [snakeCase(name), typeof value === 'object' && value ? value.join(' ') : value];
      }),
    );

const toJson = (values: AuditValues | undefined): string | null =>
  values === undefined ? null : JSON.stringify(values);

/** Records a change in the transaction that makes it. Never pass a secret: readers of the audit log see all values. */
export async function record(
  ctx: Ctx,
  action: AuditAction,
  subject: Subject,
  { before, after }: { before?: AuditValues | undefined; after?: AuditValues | undefined } = {},
): Promise<void> {
  await insertAuditEvent.run(ctx.db, {
    id: ctx.newId(),
    at: ctx.clock.now(),
    action,
    ...actorColumns(ctx.actor),
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_name: subject.name ?? null,
    org_id: subject.orgId ?? null,
    app_id: subject.appId ?? null,
    address: ctx.origin?.address ?? null,
    request_id: ctx.origin?.requestId ?? null,
    before: toJson(before),
    after: toJson(after),
  });
}

const toEvent = (row: AuditRow): AuditEvent => ({
  id: row.id,
  at: row.at,
  action: row.action,
  actor: {
    kind: row.actor_kind,
    userId: row.actor_user_id ?? undefined,
    name: row.actor_name ?? undefined,
    credential: row.actor_credential ?? undefined,
    tokenId: row.actor_token_id ?? undefined,
    clientId: row.actor_client_id ?? undefined,
  },
  subject: { kind: row.subject_kind as Subject['kind'], id: row.subject_id, name: row.subject_name ?? undefined },
  address: row.address ?? undefined,
  requestId: row.request_id ?? undefined,
  before: row.before === null ? undefined : valuesCodec.parse(row.before),
  after: row.after === null ? undefined : valuesCodec.parse(row.after),
});

export interface AuditQuery extends ListInput<'at'> {
  actor?: string;
  action?: string;
  since?: number;
  until?: number;
}

/** Events of the whole server, for administrators. */
export const listAuditEvents = (ctx: Ctx, query: AuditQuery): Promise<Page<AuditEvent>> =>
  readAuditPage(ctx, query, {});

export const listOrgAuditEvents = (ctx: OrgCtx, query: AuditQuery): Promise<Page<AuditEvent>> =>
  readAuditPage(ctx, query, { orgId: ctx.org.id });

export const listAppAuditEvents = (ctx: AppCtx, query: AuditQuery): Promise<Page<AuditEvent>> =>
  readAuditPage(ctx, query, { appId: ctx.app.id });

const readAuditPage = (
  ctx: Ctx,
  { actor, action, since, until, ...input }: AuditQuery,
  whose: Pick<AuditFilter, 'orgId' | 'appId'>,
): Promise<Page<AuditEvent>> =>
  readList(
    input,
    { at: 'time' },
    (listing) => pageAuditEvents(ctx.db, { actor, action, since, until, ...whose }, listing),
    (row) => toEvent(row),
  );

export const auditSweep = defineSchedule('audit.sweep', DAY);

/** Without the setting, events are retained forever. */
export async function sweepAuditEvents(deps: Deps): Promise<void> {
  const { auditRetentionDays: days } = deps.config;
  if (days === undefined) return;
  const before = deps.clock.now() - days * DAY;
  const deleted = await sweep(deps, (db, limit) => deleteOldAuditEvents.run(db, { before, limit }));
  if (deleted > 0) deps.log.info({ deleted, days }, 'deleted expired audit events');
}
