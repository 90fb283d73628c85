import type { OrgRole } from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { groupKey } from '../../groups/index.ts';
import { findProvider } from '../providers/providers.ts';
import {
  countMappings,
  deleteMappingRow,
  findOrgByName,
  findSharedGroup,
  findTeamByName,
  insertMapping,
  listMappingRows,
} from './group-mappings.store.ts';

const MAX_MAPPINGS = 1000;

/** The membership that a group of an identity provider stands for. */
export interface GroupMapping {
  id: string;
  providerGroup: string;
  org: { id: string; name: string; displayName: string };
  role: OrgRole;
  team: { id: string; name: string } | undefined;
  /** A distribution group that the organization shares. */
  group: { id: string; name: string } | undefined;
  createdAt: number;
}

const toTarget = (id: string | null, name: string | null) => (id === null || name === null ? undefined : { id, name });

export const listMappings = async (ctx: Pick<Ctx, 'db'>, provider: string): Promise<GroupMapping[]> =>
  (await listMappingRows.all(ctx.db, { provider })).map((row) => ({
    id: row.id,
    providerGroup: row.provider_group,
    org: { id: row.org_id, name: row.org_name, displayName: row.org_display_name },
    role: row.role,
    team: toTarget(row.team_id, row.team_name),
    group: toTarget(row.group_id, row.group_name),
    createdAt: row.created_at,
  }));

async function checkProvider(ctx: Ctx, name: string): Promise<void> {
  if (!(await findProvider(ctx, name))) throw notFound('identity provider', name);
}

export async function listProviderMappings(ctx: Ctx, provider: string): Promise<GroupMapping[]> {
  await checkProvider(ctx, provider);
  return listMappings(ctx, provider);
}

export interface NewMapping {
  providerGroup: string;
  organization: string;
  role: OrgRole | undefined;
  team: string | undefined;
  distributionGroup: string | undefined;
}

export async function createMapping(ctx: Ctx, provider: string, input: NewMapping): Promise<GroupMapping> {
  await checkProvider(ctx, provider);
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `group_mappings ${provider}`);
    if (Number((await countMappings.first(ctx.db, { provider }))?.count) >= MAX_MAPPINGS) {
      throw conflict(`The provider already has ${MAX_MAPPINGS} group mappings, the maximum. Delete one first.`);
    }
    const org = await findOrgByName.first(ctx.db, { key: input.organization.toLowerCase() });
    if (!org) throw notFound('organization', input.organization);
    const team =
      input.team === undefined
        ? undefined
        : await findTeamByName.first(ctx.db, { orgId: org.id, key: input.team.toLowerCase() });
    if (input.team !== undefined && !team) throw notFound(`team of ${org.name}`, input.team);
    const group =
      input.distributionGroup === undefined
        ? undefined
        : await findSharedGroup.first(ctx.db, { orgId: org.id, key: groupKey(input.distributionGroup) });
    if (input.distributionGroup !== undefined && !group) {
      throw notFound(`distribution group that ${org.name} shares`, input.distributionGroup);
    }
    const id = ctx.newId();
    await insertMapping.run(ctx.db, {
      id,
      provider,
      provider_group: input.providerGroup,
      org_id: org.id,
      role: input.role ?? 'member',
      team_id: team?.id ?? null,
      group_id: group?.id ?? null,
      created_at: ctx.clock.now(),
    });
    const created = (await listMappings(ctx, provider)).find((mapping) => mapping.id === id);
    if (!created) throw notFound('group mapping', id);
    const subject = { kind: 'group_mapping', id, name: `${provider}: ${input.providerGroup}`, orgId: org.id } as const;
    const after = { org: org.name, role: created.role, team: created.team?.name, group: created.group?.name };
    await record(ctx, 'group_mapping.create', subject, { after });
    return created;
  });
}

export const deleteMapping = (ctx: Ctx, provider: string, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await deleteMappingRow.first(ctx.db, { provider, id });
    if (!row) throw notFound('group mapping', id);
    const name = `${provider}: ${row.provider_group}`;
    const subject = { kind: 'group_mapping', id, name, orgId: row.org_id } as const;
    await record(ctx, 'group_mapping.delete', subject, { before: { role: row.role } });
  });
