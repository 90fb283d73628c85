import { type AppPermission, atLeast, type OrgRole } from '@mooring/contract';
import type { AppCtx, Ctx, OrgCtx, User, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto/crypto.ts';
import { conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { readArrangement, type Sorts, type UnpagedListInput } from '../../kernel/paging.ts';
import { findMemberByEmail, joinOrg, listOrgs, type Org, toUser } from '../accounts/index.ts';
import {
  type App,
  appSubject,
  findAppUserByEmail,
  getApp,
  getAppRef,
  highest,
  listApps,
  raiseAppPermission,
} from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { refuseCrowdedRecipient, sendMail } from '../mail/index.ts';
import { invitationMail } from './invitation-mail.ts';
import {
  deleteInvitation,
  findByToken,
  type InvitationRow,
  invitationsTo,
  listSentBy,
  updateRole,
  useToken,
} from './invitations.store.ts';
import { mayInvite } from './withdrawal.ts';

/** Lifetime of an invitation link. */
export const INVITATION_LIFE = 7 * DAY;

/** Length of 256 random bits. */
const TOKEN_LENGTH = 43;

/** The target of an invitation. */
interface Target {
  kind: 'org' | 'app';
  id: string;
  title: string;
  defaultRole: string;
  /** Scope whose admins or managers may read the audit events. */
  readers: { orgId?: string; appId?: string };
}

const orgTarget = ({ org }: OrgCtx): Target => ({
  kind: 'org',
  id: org.id,
  title: `the organization ${org.displayName}`,
  defaultRole: 'collaborator',
  readers: { orgId: org.id },
});

const appTarget = ({ app }: AppCtx): Target => {
  const { name, appId, orgId } = appSubject(app);
  return { kind: 'app', id: app.id, title: `the app ${name}`, defaultRole: 'developer', readers: { appId, orgId } };
};

const toAuditSubject = (target: Target, { id, email }: { id: string; email: string }) =>
  ({ kind: 'invitation', id, name: email, ...target.readers }) as const;

/** An app token invites in the name of its creator. */
const getInviter = ({ actor }: OrgCtx | AppCtx): { id: string; displayName: string } =>
  actor.kind === 'user' ? actor.user : { id: actor.createdBy.id, displayName: actor.createdBy.name };

const findOpen = (ctx: Ctx, { kind, id }: Target, email: string) =>
  invitationsTo[kind].find.first(ctx.db, { targetId: id, key: email.toLowerCase() });

async function getOpen(ctx: Ctx, target: Target, email: string) {
  const open = await findOpen(ctx, target, email);
  if (!open) throw notFound('invitation', email);
  return open;
}

/** Sends a link, which replaces any earlier one. The token is only in the email. */
async function invite(
  ctx: OrgCtx | AppCtx,
  target: Target,
  email: string,
  requestedRole: string | undefined,
): Promise<void> {
  await refuseCrowdedRecipient(ctx, email);
  const before = await findOpen(ctx, target, email);
  const role = requestedRole ?? before?.role ?? target.defaultRole;
  const token = randomBase62(TOKEN_LENGTH);
  const now = ctx.clock.now();
  const expiresAt = now + INVITATION_LIFE;
  const inviter = getInviter(ctx);
  const to = { org_id: target.kind === 'org' ? target.id : null, app_id: target.kind === 'app' ? target.id : null };
  if (!(await mayInvite(ctx, { ...to, invited_by: inviter.id }))) {
    throw forbidden(
      `This token was created by ${inviter.displayName}, who can no longer invite people to ${target.title}. Use another token.`,
    );
  }
  const saved = await invitationsTo[target.kind].save.first(ctx.db, {
    id: ctx.newId(),
    token_hash: sha256(token),
    kind: target.kind,
    ...to,
    email,
    email_key: email.toLowerCase(),
    role,
    invited_by: inviter.id,
    created_at: now,
    expires_at: expiresAt,
  });
  const link = `${ctx.publicUrl()}/invitations/${target.kind}/${token}`;
  const fields = { inviter: inviter.displayName, target: target.title, role, email, link, expiresAt };
  await sendMail(ctx, invitationMail(fields));
  const values = { before: before && { role: before.role }, after: { role, expires_at: toIso(expiresAt) } };
  const subject = toAuditSubject(target, { id: saved?.id ?? '', email });
  await record(ctx, before ? 'invitation.resend' : 'invitation.create', subject, values);
}

async function changeRole(ctx: Ctx, target: Target, email: string, role: string | undefined): Promise<void> {
  const open = await getOpen(ctx, target, email);
  if (role === undefined || role === open.role) return;
  await updateRole.run(ctx.db, { id: open.id, role });
  await record(ctx, 'invitation.update', toAuditSubject(target, open), {
    before: { role: open.role },
    after: { role },
  });
}

async function revoke(ctx: Ctx, target: Target, email: string): Promise<void> {
  const open = await getOpen(ctx, target, email);
  if (!(await deleteInvitation.first(ctx.db, { id: open.id }))) throw notFound('invitation', email);
  await record(ctx, 'invitation.revoke', toAuditSubject(target, open), { before: { role: open.role } });
}

export interface Invitation {
  id: string;
  email: string;
  role: string;
  expiresAt: number;
  invitedBy: User;
  isExistingUser: boolean;
}

const sorts = { email: 'name', role: 'name', expires_at: 'time' } satisfies Sorts<string>;
export type InvitationSort = keyof typeof sorts;
type InvitationsInput = UnpagedListInput<InvitationSort>;

async function list(ctx: Ctx, { kind, id }: Target, input: InvitationsInput): Promise<Invitation[]> {
  const rows = await invitationsTo[kind].list(ctx.db, id, readArrangement(input, sorts));
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    expiresAt: row.expires_at,
    invitedBy: toUser({
      id: row.inviter_id,
      name: row.inviter_name,
      display_name: row.inviter_display_name,
      email: row.inviter_email,
      avatar_url: row.inviter_avatar_url,
      is_admin: row.inviter_is_admin,
    }),
    isExistingUser: row.invited_id !== null,
  }));
}

async function refuseMember(ctx: OrgCtx, email: string): Promise<void> {
  if (await findMemberByEmail(ctx, ctx.org.id, email)) {
    throw conflict(`${email} is already a member of ${ctx.org.name}. Change the role there.`);
  }
}

export const inviteToOrg = (ctx: OrgCtx, email: string, role?: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    await refuseMember(ctx, email);
    await invite(ctx, orgTarget(ctx), email, role);
  });

export const resendOrgInvitation = (ctx: OrgCtx, email: string, role?: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    const open = await getOpen(ctx, orgTarget(ctx), email);
    await refuseMember(ctx, email);
    await invite(ctx, orgTarget(ctx), open.email, role);
  });

export const updateOrgInvitation = (ctx: OrgCtx, email: string, role?: OrgRole): Promise<void> =>
  tx(ctx, (ctx) => changeRole(ctx, orgTarget(ctx), email, role));

export const revokeOrgInvitation = (ctx: OrgCtx, email: string): Promise<void> =>
  tx(ctx, (ctx) => revoke(ctx, orgTarget(ctx), email));

export const listOrgInvitations = (ctx: OrgCtx, input: InvitationsInput): Promise<Invitation[]> =>
  list(ctx, orgTarget(ctx), input);

/** Maps the roles of the API to permissions on an app. */
const permissionFor = { admin: 'manager', collaborator: 'developer', member: 'viewer' } as const;

export const inviteToApp = (ctx: AppCtx, email: string, role?: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    const target = appTarget(ctx);
    const offered = role ? permissionFor[role] : target.defaultRole;
    const has = await findAppUserByEmail(ctx, email);
    // A user who has a lower permission, for example by a team, may be offered a higher one.
    if (has && atLeast(has.permission, offered as AppPermission)) {
      throw conflict(`${email} is already ${has.permission} of ${target.title}. Change the permission there.`);
    }
    await invite(ctx, target, email, role && permissionFor[role]);
  });

export const updateAppInvitation = (ctx: AppCtx, email: string, permissions: AppPermission[]): Promise<void> =>
  tx(ctx, (ctx) => changeRole(ctx, appTarget(ctx), email, highest(permissions)));

export const revokeAppInvitation = (ctx: AppCtx, email: string): Promise<void> =>
  tx(ctx, (ctx) => revoke(ctx, appTarget(ctx), email));

export const listAppInvitations = async (
  ctx: AppCtx,
  input: InvitationsInput,
): Promise<{ app: App; invitations: Invitation[] }> => ({
  app: await getApp(ctx),
  invitations: await list(ctx, appTarget(ctx), input),
});

export interface SentInvitation {
  id: string;
  email: string;
  expiresAt: number;
  org: Org | undefined;
  app: App | undefined;
}

/** Omits invitations that the caller may no longer see: an app includes its secret. */
export async function listSentInvitations(ctx: UserCtx): Promise<SentInvitation[]> {
  const sent = await listSentBy.all(ctx.db, { userId: ctx.actor.user.id });
  if (sent.length === 0) return [];
  const orgs = new Map((await listOrgs(ctx)).map((org) => [org.id, org]));
  const apps = new Map((await listApps(ctx, {})).map((app) => [app.id, app]));
  return sent
    .map((row) => ({
      id: row.id,
      email: row.email,
      expiresAt: row.expires_at,
      org: orgs.get(row.org_id ?? ''),
      app: apps.get(row.app_id ?? ''),
    }))
    .filter(({ org, app }) => org || app);
}

export const gone = () => notFound('invitation; it may have been used, withdrawn or expired');

/** Uses up a link. Of several concurrent uses, one succeeds. */
async function use(ctx: UserCtx, kind: 'org' | 'app', token: string): Promise<InvitationRow> {
  const hash = sha256(token);
  const row = await findByToken.first(ctx.db, { hash, kind });
  if (!row || row.expires_at <= ctx.clock.now() || !(await mayInvite(ctx, row))) throw gone();
  const { user } = ctx.actor;
  if (row.email_key !== user.email.toLowerCase()) {
    throw forbidden(
      `This invitation is for ${row.email}, but you are signed in as ${user.email}. Sign in with the invited address.`,
    );
  }
  if (!(await useToken.first(ctx.db, { hash }))) throw gone();
  return row;
}

const answeredOrg = ({ id, email, org_id }: InvitationRow) => {
  const orgId = org_id ?? '';
  return { orgId, subject: { kind: 'invitation', id, name: email, orgId } as const };
};

export const acceptOrgInvitation = (ctx: UserCtx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await use(ctx, 'org', token);
    const { orgId, subject } = answeredOrg(row);
    await record(ctx, 'invitation.accept', subject, { after: { role: row.role } });
    await joinOrg(ctx, orgId, ctx.actor.user, row.role as OrgRole);
  });

export const rejectOrgInvitation = (ctx: UserCtx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await use(ctx, 'org', token);
    await record(ctx, 'invitation.reject', answeredOrg(row).subject, { before: { role: row.role } });
  });

async function answeredApp(ctx: UserCtx, { id, email, app_id }: InvitationRow) {
  const app = await getAppRef(ctx, app_id ?? '');
  const { appId, orgId } = appSubject(app);
  return { app, subject: { kind: 'invitation', id, name: email, appId, orgId } as const };
}

export const acceptAppInvitation = (ctx: UserCtx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await use(ctx, 'app', token);
    const { app, subject } = await answeredApp(ctx, row);
    await record(ctx, 'invitation.accept', subject, { after: { role: row.role } });
    await raiseAppPermission({ ...ctx, app }, ctx.actor.user, row.role as AppPermission);
  });

export const rejectAppInvitation = (ctx: UserCtx, token: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await use(ctx, 'app', token);
    const { subject } = await answeredApp(ctx, row);
    await record(ctx, 'invitation.reject', subject, { before: { role: row.role } });
  });
