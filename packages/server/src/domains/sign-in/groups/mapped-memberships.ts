import { isRoleAtLeast, type OrgRole } from '@mooring/contract';
import type { Ctx, OrgCtx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { Failure } from '../../../kernel/errors.ts';
import { addMember, findRole, removeMember, updateMember } from '../../accounts/index.ts';
import { addTeamUser, removeTeamUser } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { addGroupUsers, removeGroupUsers } from '../../groups/index.ts';
import type { IdentityProvider } from '../providers/providers.ts';
import { deleteMapped, isGroupMember, listMapped, saveMapped } from './group-mappings.store.ts';
import { type GroupMapping, listMappings } from './group-mappings.ts';

type Org = GroupMapping['org'];
type MappedRow = Awaited<ReturnType<typeof listMapped.all>>[number];

/** Groups of a person at the provider; `unknown` if it did not send all of them. */
export type ProviderGroups = readonly string[] | 'unknown';

/**
 * Reads the groups of a person from the claims. Entra ID sends a reference instead of more than 200 groups; without the
 * groups, no one may lose a membership.
 */
export function readGroups(claims: Record<string, unknown>, claim: string): ProviderGroups {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const references = claims._claim_names;
  if (
    value === undefined &&
    typeof references === 'object' &&
    references !== null &&
    Object.hasOwn(references, claim)
  ) {
    return 'unknown';
  }
  return [value].flat().filter((group) => typeof group === 'string');
}

/**
 * The directory acts on organizations as one of their admins would. Only mappings name organizations, and only administrators
 * of the server create mappings.
 */
const asAdmin = (ctx: Ctx, user: User, org: Org): OrgCtx => ({
  ...ctx,
  actor: { kind: 'user', user, credential: { kind: 'password' }, tokenScope: 'all' },
  org,
  role: 'admin',
});

interface Target {
  kind: MappedRow['kind'];
  id: string;
  org: Org;
  role: OrgRole | null;
  name: string;
}

/** Memberships of these mappings, organizations first. The highest role of an organization counts. */
function listTargets(mappings: readonly GroupMapping[]): Target[] {
  const targets = new Map<string, Target>();
  for (const { org, role } of mappings) {
    const before = targets.get(org.id)?.role;
    const highest = before && isRoleAtLeast(before, role) ? before : role;
    targets.set(org.id, { kind: 'org', id: org.id, org, role: highest, name: org.name });
  }
  for (const { org, team, group } of mappings) {
    if (team) targets.set(team.id, { kind: 'team', id: team.id, org, role: null, name: team.name });
    if (group) targets.set(group.id, { kind: 'group', id: group.id, org, role: null, name: group.name });
  }
  return [...targets.values()];
}

/** True if the membership did not exist before. */
async function addOrg(ctx: Ctx, user: User, { org, role }: Target, mapped: MappedRow | undefined): Promise<boolean> {
  const current = await findRole(ctx, org.id, user.id);
  const newRole = role ?? 'member';
  if (current === undefined) {
    await addMember(asAdmin(ctx, user, org), org, user, newRole);
    return true;
  }
  // A role that was changed by hand stays.
  if (!mapped || mapped.role !== current || current === newRole) return false;
  await updateMember(asAdmin(ctx, user, org), user.name, newRole);
  return true;
}

async function addTarget(ctx: Ctx, user: User, target: Target, mapped: MappedRow | undefined): Promise<boolean> {
  if (target.kind === 'org') return addOrg(ctx, user, target, mapped);
  const admin = asAdmin(ctx, user, target.org);
  if (target.kind === 'team') {
    await addTeamUser(admin, target.name, user.email);
    return true;
  }
  if (await isGroupMember.first(ctx.db, { groupId: target.id, userId: user.id })) return false;
  const [result] = await addGroupUsers(admin, target.name, [user.email]);
  if (result?.failure) throw result.failure;
  return true;
}

/** A membership that was changed or removed by hand stays as it is. */
async function removeTarget(ctx: Ctx, user: User, row: MappedRow): Promise<void> {
  const admin = asAdmin(ctx, user, { id: row.org_id, name: row.org_name, displayName: row.org_display_name });
  if (row.kind === 'org') {
    if ((await findRole(ctx, row.org_id, user.id)) === row.role) await removeMember(admin, user.name);
  } else if (row.kind === 'team') {
    if (row.team_name !== null) await removeTeamUser(admin, row.team_name, user.name);
  } else if (row.group_name !== null) await removeGroupUsers(admin, row.group_name, [user.email]);
}

/** Runs a change that one membership may refuse, such as the removal of the last admin, without failing the sign-in. */
async function attempt<T>(ctx: Ctx, target: object, change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'Conflict' && error.code !== 'NotFound') throw error;
    ctx.log.info({ ...target, reason: error.message }, 'group mapping not applied');
    return undefined;
  }
}

/** The mappings of a provider that apply to a person. */
export const chooseMappings = (mappings: readonly GroupMapping[], groups: ProviderGroups): GroupMapping[] =>
  groups === 'unknown' ? [] : mappings.filter(({ providerGroup }) => groups.includes(providerGroup));

/** Applies these mappings, and ends memberships that others of the same provider created. */
const applyMappings = (ctx: Ctx, provider: string, user: User, mappings: readonly GroupMapping[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await listMapped.all(ctx.db, { userId: user.id, provider });
    const targets = listTargets(mappings);
    let changed = 0;
    const isSame = (row: MappedRow, { kind, id }: Target) => row.kind === kind && row.target_id === id;
    // Teams and groups before their organization, whose removal would also end them.
    const ended = before.filter((row) => !targets.some((target) => isSame(row, target)));
    for (const row of ended.toSorted((a, b) => Number(a.kind === 'org') - Number(b.kind === 'org'))) {
      await attempt(ctx, { user: user.id, org: row.org_name }, () => removeTarget(ctx, user, row));
      await deleteMapped.run(ctx.db, { userId: user.id, provider, kind: row.kind, targetId: row.target_id });
      changed += 1;
    }
    for (const target of targets) {
      const mapped = before.find((row) => isSame(row, target));
      const isNew = await attempt(ctx, { user: user.id, org: target.org.name }, () =>
        addTarget(ctx, user, target, mapped),
      );
      if (!isNew) continue;
      const { kind, id: target_id, org, role } = target;
      await saveMapped.run(ctx.db, { user_id: user.id, provider, kind, target_id, org_id: org.id, role });
      changed += 1;
    }
    if (changed === 0) return;
    const subject = { kind: 'user', id: user.id, name: user.name } as const;
    await record(ctx, 'identity_provider.apply_groups', subject, { after: { provider, memberships: changed } });
  });

/** Applies the groups of a person who signs in. */
export async function applyGroups(
  ctx: Ctx,
  { name }: Pick<IdentityProvider, 'name'>,
  user: User,
  groups: ProviderGroups,
): Promise<void> {
  if (groups === 'unknown') {
    ctx.log.warn(
      { provider: name, user: user.id },
      'The identity provider sent a reference instead of the groups of a person with too many groups, so memberships were not changed. Limit the groups in the token to those assigned to the application.',
    );
    const subject = { kind: 'user', id: user.id, name: user.name } as const;
    await tx(ctx, (ctx) => record(ctx, 'identity_provider.skip_groups', subject, { after: { provider: name } }));
    return;
  }
  await applyMappings(ctx, name, user, chooseMappings(await listMappings(ctx, name), groups));
}

/** The same for a person whose account was linked after the sign-in at the provider. */
export async function applyChosen(ctx: Ctx, provider: string, user: User, ids: readonly string[]): Promise<void> {
  const mappings = await listMappings(ctx, provider);
  await applyMappings(
    ctx,
    provider,
    user,
    mappings.filter(({ id }) => ids.includes(id)),
  );
}
