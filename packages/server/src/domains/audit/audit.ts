import type { Actor, AppCtx, Credential, Ctx, Deps, OrgCtx } from '../../context.ts';
import { sweep } from '../../db/sweep.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { decodeCursor, type Page, toPage } from '../../kernel/paging.ts';
import {
  type AuditFilter,
  type AuditRow,
  deleteOldAuditEvents,
  insertAuditEvent,
  pageAuditEvents,
} from './audit.store.ts';

/** Every change that the server knows how to name. */
export type AuditAction =
  | 'server.set_up'
  | 'user.create'
  | 'user.update'
  | 'user.delete'
  | 'user.change_password'
  | 'password_reset.request'
  | 'password_reset.create'
  | 'password_reset.use'
  | 'session.create'
  | 'session.delete'
  | 'org.create'
  | 'org.update'
  | 'org.delete'
  | 'org.set_avatar'
  | 'org.delete_avatar'
  | 'org.add_member'
  | 'org.update_member'
  | 'org.remove_member'
  | 'service_account.create'
  | 'service_account.delete'
  | 'team.create'
  | 'team.update'
  | 'team.delete'
  | 'team.add_user'
  | 'team.remove_user'
  | 'team.add_app'
  | 'team.set_permission'
  | 'team.remove_app'
  | 'app.create'
  | 'app.update'
  | 'app.delete'
  | 'app.set_avatar'
  | 'app.delete_avatar'
  | 'app.transfer'
  | 'app.set_permission'
  | 'app.remove_user'
  | 'invitation.create'
  | 'invitation.update'
  | 'invitation.resend'
  | 'invitation.revoke'
  | 'invitation.accept'
  | 'invitation.reject'
  | 'mail.reveal_link'
  | 'job.replay'
  | 'job.delete'
  | 'group.create'
  | 'group.update'
  | 'group.delete'
  | 'group.add_user'
  | 'group.remove_user'
  | 'group.resend_invite'
  | 'group.accept'
  | 'group.add_app'
  | 'group.remove_app'
  | 'api_token.create'
  | 'api_token.delete'
  | 'oauth.consent'
  | 'oauth.deny'
  | 'oauth.revoke_consent'
  | 'oauth.reuse_code'
  | 'oauth.rotate_keys'
  | 'oauth_client.create'
  | 'oauth_client.update'
  | 'oauth_client.delete'
  | 'oidc_subject.link'
  | 'oidc_subject.unlink'
  | 'subscription.create'
  | 'subscription.update'
  | 'subscription.delete'
  | 'subscription.add_reader'
  | 'subscription.remove_reader'
  | 'app.link_subscription'
  | 'app.unlink_subscription'
  | 'health_operator.add'
  | 'health_operator.remove'
  | 'health_event.publish'
  | 'health_event.update'
  | 'health_event.resolve'
  | 'health_event.reopen'
  | 'health_event.withdraw'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.rotate_secret'
  | 'webhook.test'
  | 'webhook.replay'
  | 'webhook.disable'
  | 'feed.create'
  | 'feed.delete'
  | 'health_event.import'
  | 'health_event.import_end';

export interface Subject {
  kind:
    | 'user'
    | 'session'
    | 'password_reset'
    | 'org'
    | 'team'
    | 'app'
    | 'invitation'
    | 'group'
    | 'api_token'
    | 'mail'
    | 'job'
    | 'oauth_client'
    | 'signing_key'
    | 'server'
    | 'subscription'
    | 'health_event'
    | 'webhook'
    | 'feed'
    | 'health_import';
  id: string;
  name?: string;
  /** The organization, and the app, whose admins and managers may read of it. */
  orgId?: string;
  appId?: string;
}

type Facts = Record<string, string | number | boolean | null | undefined>;

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
  before: Facts | undefined;
  after: Facts | undefined;
}

const nobody = {
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
    return { ...nobody, actor_kind, ...maker, actor_credential: 'token', actor_token_id: tokenId } as const;
  }
  return { ...nobody, actor_kind };
}

const toJson = (facts: Facts | undefined): string | null => (facts === undefined ? null : JSON.stringify(facts));

/** Writes down a change, in the transaction that makes it. Never pass a secret: what is recorded here is shown. */
export async function record(
  ctx: Ctx,
  action: AuditAction,
  subject: Subject,
  { before, after }: { before?: Facts; after?: Facts } = {},
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
  before: row.before === null ? undefined : JSON.parse(row.before),
  after: row.after === null ? undefined : JSON.parse(row.after),
});

export interface AuditQuery {
  limit?: number;
  cursor?: string;
  actor?: string;
  action?: string;
  since?: number;
  until?: number;
}

/** Every change on the server; for administrators. */
export const listAuditEvents = (ctx: Ctx, query: AuditQuery): Promise<Page<AuditEvent>> => pageOf(ctx, query, {});

export const listAuditEventsOfOrg = (ctx: OrgCtx, query: AuditQuery): Promise<Page<AuditEvent>> =>
  pageOf(ctx, query, { orgId: ctx.org.id });

export const listAuditEventsOfApp = (ctx: AppCtx, query: AuditQuery): Promise<Page<AuditEvent>> =>
  pageOf(ctx, query, { appId: ctx.app.id });

async function pageOf(
  ctx: Ctx,
  { limit = 50, cursor, ...filter }: AuditQuery,
  whose: Pick<AuditFilter, 'orgId' | 'appId'>,
): Promise<Page<AuditEvent>> {
  const [at, id] = cursor ? decodeCursor(cursor, ['number', 'string']) : [Number.MAX_SAFE_INTEGER, ''];
  const position = { at: Number(at), id: String(id) };
  const rows = await pageAuditEvents(ctx.db, { ...filter, ...whose }, position, limit + 1);
  return toPage(rows, limit, (row) => [row.at, row.id], toEvent);
}

export const auditSweep = defineSchedule('audit.sweep', DAY);

/** Without the setting, changes are kept for ever. */
export async function sweepAuditEvents(deps: Deps): Promise<void> {
  const { auditRetentionDays: days } = deps.config;
  if (days === undefined) return;
  const before = deps.clock.now() - days * DAY;
  const deleted = await sweep(deps, (db, limit) => deleteOldAuditEvents.run(db, { before, limit }));
  if (deleted > 0) deps.log.info({ deleted, days }, 'audit events were older than they are kept, and are deleted');
}
