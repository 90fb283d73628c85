import type { Ctx, OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { appAccessLowered } from '../apps.events.ts';
import {
  deleteTeamPeople,
  deleteTeamRow,
  findTeamById,
  insertTeamPeople,
  listTeamPeople,
  updateTeamRow,
} from './teams.store.ts';
import { teamSubject } from './teams.ts';

/** Teams that the directory of an organization manages, by ID, with any number of members at a time. */
type DirectoryCtx = Ctx & Pick<OrgCtx, 'org'>;

export interface TeamPerson {
  teamId: string;
  userId: string;
  displayName: string;
}

/** Members of these teams, at most `limit`. */
export const listTeamsPeople = async (
  ctx: Pick<Ctx, 'db'>,
  teamIds: readonly string[],
  limit: number,
): Promise<TeamPerson[]> =>
  (await listTeamPeople.all(ctx.db, { teamIds: JSON.stringify(teamIds), limit })).map((row) => ({
    teamId: row.team_id,
    userId: row.id,
    displayName: row.display_name,
  }));

/** Locks the team until the transaction ends. */
async function lockTeam(ctx: DirectoryCtx, id: string) {
  const row = await findTeamById.first(ctx.db, { id, orgId: ctx.org.id });
  if (!row) throw notFound('team', id);
  return row;
}

export const renameTeam = (ctx: DirectoryCtx, id: string, displayName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const team = await lockTeam(ctx, id);
    if (team.display_name === displayName) return;
    await updateTeamRow.run(ctx.db, { id, display_name: displayName });
    const changes = { before: { display_name: team.display_name }, after: { display_name: displayName } };
    await record(ctx, 'team.update', teamSubject(ctx, team), changes);
  });

export const removeTeam = (ctx: DirectoryCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const team = await lockTeam(ctx, id);
    const people = await listTeamPeople.all(ctx.db, { teamIds: JSON.stringify([id]), limit: Number.MAX_SAFE_INTEGER });
    await deleteTeamRow.run(ctx.db, { id });
    await publish(ctx, appAccessLowered, { userIds: people.map((person) => person.id) });
    await record(ctx, 'team.delete', teamSubject(ctx, team), { before: { display_name: team.display_name } });
  });

/** Only members of the organization join its teams; others are ignored. One audit entry for all. */
export const changeTeamPeople = (
  ctx: DirectoryCtx,
  id: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> =>
  tx(ctx, async (ctx) => {
    const team = await lockTeam(ctx, id);
    const lost = await deleteTeamPeople.all(ctx.db, { teamId: id, userIds: JSON.stringify(removed) });
    const who = { teamId: id, orgId: ctx.org.id, userIds: JSON.stringify(added) };
    const joined = await insertTeamPeople.all(ctx.db, who);
    if (lost.length > 0) await publish(ctx, appAccessLowered, { userIds: lost.map((row) => row.user_id) });
    if (lost.length + joined.length === 0) return;
    const after = { added_users: joined.length, removed_users: lost.length };
    await record(ctx, 'team.change_users', teamSubject(ctx, team), { after });
  });
