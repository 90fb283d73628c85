import { atLeast, type GrantablePermission, type OrgRole } from '@mooring/contract';
import type { AppCtx, Ctx, OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { readArrangement, type Sorts, type UnpagedListInput } from '../../../kernel/paging.ts';
import { nameFrom, refuseDots } from '../../../kernel/text/names.ts';
import { lockMembership } from '../../accounts/index.ts';
import { auditFields, record } from '../../audit/index.ts';
import { getEffectivePermission, highest } from '../access/permissions.ts';
import { appAccessLowered } from '../apps.events.ts';
import { findTeamApp, listTeamAppRows } from '../apps.store.ts';
import { type App, lockOwnedApp, toApp } from '../apps.ts';
import {
  deleteTeamApp,
  deleteTeamMember,
  deleteTeamRow,
  findTeam,
  findTeamMember,
  findTeamMemberByName,
  insertTeam,
  insertTeamApp,
  insertTeamMember,
  listOrgTeams,
  listTeamMembers,
  listTeamsWithApp,
  lockTeam,
  updateTeamApp,
  updateTeamRow,
} from './teams.store.ts';

export interface Team {
  id: string;
  name: string;
  displayName: string;
  description: string | undefined;
}

export interface TeamMember {
  userId: string;
  name: string;
  displayName: string;
  email: string;
  /** Role in the organization. */
  role: OrgRole;
}

export interface TeamApp {
  app: App;
  permission: GrantablePermission;
}

type TeamRow = NonNullable<Awaited<ReturnType<typeof findTeam.first>>>;
type MemberRow = NonNullable<Awaited<ReturnType<typeof findTeamMember.first>>>;
type TeamAppRow = NonNullable<Awaited<ReturnType<typeof findTeamApp.first>>>;

const toTeam = (row: TeamRow): Team => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description ?? undefined,
});

const toMember = (row: MemberRow): TeamMember => ({
  userId: row.id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  role: row.role,
});

const toTeamApp = (ctx: OrgCtx, row: TeamAppRow): TeamApp => ({
  app: toApp(row, getEffectivePermission(ctx.actor, row)),
  permission: row.team_permission,
});

export const teamSubject = ({ org }: Pick<OrgCtx, 'org'>, team: Pick<Team, 'id' | 'name'>, appId?: string) =>
  ({ kind: 'team', id: team.id, name: `${org.name}/${team.name}`, orgId: org.id, appId }) as const;

const sorts = { name: 'name', display_name: 'name' } satisfies Sorts<string>;
export type TeamSort = keyof typeof sorts;

export const listTeams = async (ctx: OrgCtx, input: UnpagedListInput<TeamSort>): Promise<Team[]> =>
  (await listOrgTeams(ctx.db, { orgId: ctx.org.id }, readArrangement(input, sorts))).map(toTeam);

export async function listAppTeams(ctx: AppCtx): Promise<(Team & { permission: GrantablePermission })[]> {
  const rows = await listTeamsWithApp.all(ctx.db, { appId: ctx.app.id });
  return rows.map((row) => ({ ...toTeam(row), permission: row.permission }));
}

export const getTeam = (ctx: OrgCtx, name: string): Promise<Team> => readTeam(ctx, name, findTeam);

async function readTeam(ctx: OrgCtx, name: string, statement: typeof findTeam): Promise<Team> {
  const row = await statement.first(ctx.db, { orgId: ctx.org.id, key: name.toLowerCase() });
  if (!row) throw notFound('team', name);
  return toTeam(row);
}

/** Runs `work` on a locked team. Changes take effect with the next request. */
const changeTeam = <T>(ctx: OrgCtx, name: string, work: (ctx: OrgCtx, team: Team) => Promise<T>): Promise<T> =>
  tx(ctx, async (ctx) => {
    const result = await work(ctx, await readTeam(ctx, name, lockTeam));
    return result;
  });

export interface NewTeam {
  displayName: string;
  name?: string;
  description?: string;
}

const audited = auditFields('name', 'displayName', 'description');

export async function createTeam(ctx: Ctx & Pick<OrgCtx, 'org'>, input: NewTeam): Promise<Team> {
  refuseDots(input.name);
  return tx(ctx, async (ctx) => {
    const team = await addTeam(ctx, input);
    await record(ctx, 'team.create', teamSubject(ctx, team), { after: audited(team) });
    return team;
  });
}

/** A requested name must be free; one derived from the display name gets a number if it is taken. */
async function addTeam(
  ctx: Ctx & Pick<OrgCtx, 'org'>,
  { name: requestedName, displayName, description }: NewTeam,
): Promise<Team> {
  for (const name of requestedName === undefined ? nameFrom(displayName) : [requestedName]) {
    const row = await insertTeam.first(ctx.db, {
      id: ctx.newId(),
      org_id: ctx.org.id,
      name,
      name_key: name.toLowerCase(),
      display_name: displayName,
      description: description || null,
      created_at: ctx.clock.now(),
    });
    if (row) return toTeam(row);
  }
  throw conflict(
    `${ctx.org.name} already has a team named "${requestedName ?? displayName}". Choose another name.`,
    'name',
  );
}

export const updateTeam = (ctx: OrgCtx, name: string, displayName: string): Promise<Team> =>
  changeTeam(ctx, name, async (ctx, team) => {
    if (displayName === team.displayName) return team;
    await updateTeamRow.run(ctx.db, { id: team.id, display_name: displayName });
    const changes = { before: { display_name: team.displayName }, after: { display_name: displayName } };
    await record(ctx, 'team.update', teamSubject(ctx, team), changes);
    return { ...team, displayName };
  });

export const deleteTeam = (ctx: OrgCtx, name: string): Promise<void> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const members = await listTeamMembers.all(ctx.db, { teamId: team.id });
    await deleteTeamRow.run(ctx.db, { id: team.id });
    await publish(ctx, appAccessLowered, { userIds: members.map(({ id }) => id) });
    await record(ctx, 'team.delete', teamSubject(ctx, team), { before: audited(team) });
  });

export async function listTeamUsers(ctx: OrgCtx, name: string): Promise<TeamMember[]> {
  const { id } = await getTeam(ctx, name);
  return (await listTeamMembers.all(ctx.db, { teamId: id })).map(toMember);
}

/** Only members of the organization can join its teams. */
export const addTeamUser = (ctx: OrgCtx, name: string, email: string): Promise<TeamMember> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const membership = await lockMembership(ctx, ctx.org.id, email);
    if (!membership) throw notFound(`member of ${ctx.org.name}`, email);
    const { userId } = membership;
    if (!(await insertTeamMember.first(ctx.db, { team_id: team.id, user_id: userId }))) {
      throw conflict(`${email} is already in the team ${team.name}.`);
    }
    const row = await findTeamMember.first(ctx.db, { teamId: team.id, userId });
    if (!row) throw notFound(`member of ${ctx.org.name}`, email);
    await record(ctx, 'team.add_user', teamSubject(ctx, team), { after: { user: row.name } });
    return toMember(row);
  });

export const removeTeamUser = (ctx: OrgCtx, name: string, userName: string): Promise<void> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const member = await findTeamMemberByName.first(ctx.db, { teamId: team.id, key: userName.toLowerCase() });
    if (!member) throw notFound(`member of the team ${team.name}`, userName);
    await deleteTeamMember.run(ctx.db, { teamId: team.id, userId: member.id });
    await publish(ctx, appAccessLowered, { userIds: [member.id] });
    await record(ctx, 'team.remove_user', teamSubject(ctx, team), { before: { user: member.name } });
  });

/** Membership in the organization does not reveal its apps, so callers see only those they have access to. */
export async function listTeamApps(ctx: OrgCtx, name: string): Promise<TeamApp[]> {
  const { id } = await getTeam(ctx, name);
  const rows = await listTeamAppRows.all(ctx.db, { teamId: id, userId: ctx.actor.user.id });
  return rows.map((row) => toTeamApp(ctx, row));
}

async function getTeamApp(ctx: OrgCtx, team: Team, appName: string): Promise<TeamApp> {
  const who = { teamId: team.id, userId: ctx.actor.user.id };
  const row = await findTeamApp.first(ctx.db, { ...who, nameKey: appName.toLowerCase() });
  if (!row) throw notFound(`app of the team ${team.name}`, appName);
  return toTeamApp(ctx, row);
}

async function publishLowered(ctx: OrgCtx, team: Team, appId: string): Promise<void> {
  const members = await listTeamMembers.all(ctx.db, { teamId: team.id });
  await publish(ctx, appAccessLowered, { userIds: members.map(({ id }) => id), appId });
}

/** Only apps of the organization can be added to its teams. */
export const addTeamApp = (
  ctx: OrgCtx,
  name: string,
  appName: string,
  permissions: GrantablePermission[] = ['developer'],
): Promise<TeamApp> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const app = await lockOwnedApp(ctx, ctx.org.id, appName);
    if (!app) throw notFound(`app of ${ctx.org.name}`, appName);
    const permission = highest(permissions);
    if (!(await insertTeamApp.first(ctx.db, { team_id: team.id, app_id: app.id, permission }))) {
      throw conflict(`The team ${team.name} already has the app ${appName}.`);
    }
    const added = await getTeamApp(ctx, team, appName);
    const after = { app: added.app.name, permission };
    await record(ctx, 'team.add_app', teamSubject(ctx, team, app.id), { after });
    return added;
  });

export const updateTeamPermissions = (
  ctx: OrgCtx,
  name: string,
  appName: string,
  permissions: GrantablePermission[],
): Promise<TeamApp> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const was = await getTeamApp(ctx, team, appName);
    const permission = highest(permissions);
    if (permission === was.permission) return was;
    const { id, name: app } = was.app;
    await updateTeamApp.run(ctx.db, { team_id: team.id, app_id: id, permission });
    if (!atLeast(permission, was.permission)) await publishLowered(ctx, team, id);
    const changes = { before: { app, permission: was.permission }, after: { app, permission } };
    await record(ctx, 'team.set_permission', teamSubject(ctx, team, id), changes);
    return getTeamApp(ctx, team, appName);
  });

export const removeTeamApp = (ctx: OrgCtx, name: string, appName: string): Promise<void> =>
  changeTeam(ctx, name, async (ctx, team) => {
    const { app, permission } = await getTeamApp(ctx, team, appName);
    await deleteTeamApp.run(ctx.db, { teamId: team.id, appId: app.id });
    await publishLowered(ctx, team, app.id);
    await record(ctx, 'team.remove_app', teamSubject(ctx, team, app.id), { before: { app: app.name, permission } });
  });
