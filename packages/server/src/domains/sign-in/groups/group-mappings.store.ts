import type { Kysely } from 'kysely';
import { insertInto, statement, type Tables } from '../sign-in.tables.ts';

const selectMappings = (q: Kysely<Tables>, p: { provider: string }) =>
  q
    .selectFrom('group_mappings')
    .innerJoin('owner_names', 'owner_names.id', 'group_mappings.org_id')
    .leftJoin('team_names', 'team_names.id', 'group_mappings.team_id')
    .leftJoin('shared_groups', 'shared_groups.id', 'group_mappings.group_id')
    .select([
      'group_mappings.id',
      'group_mappings.provider_group',
      'group_mappings.org_id',
      'group_mappings.role',
      'group_mappings.team_id',
      'group_mappings.group_id',
      'group_mappings.created_at',
      'owner_names.name as org_name',
      'owner_names.display_name as org_display_name',
      'team_names.name as team_name',
      'shared_groups.name as group_name',
    ])
    .where('group_mappings.provider', '=', p.provider)
    .orderBy('group_mappings.provider_group')
    .orderBy('group_mappings.id');

export const listMappingRows = statement((q, p: { provider: string }) => selectMappings(q, p));

export const countMappings = statement((q, p: { provider: string }) =>
  q
    .selectFrom('group_mappings')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('provider', '=', p.provider),
);

export const insertMapping = insertInto('group_mappings');

export const deleteMappingRow = statement((q, p: { provider: string; id: string }) =>
  q
    .deleteFrom('group_mappings')
    .where('provider', '=', p.provider)
    .where('id', '=', p.id)
    .returning(['provider_group', 'org_id', 'role']),
);

export const deleteProviderMappings = statement((q, p: { provider: string }) =>
  q.deleteFrom('group_mappings').where('provider', '=', p.provider),
);

export const findOrgByName = statement((q, p: { key: string }) =>
  q
    .selectFrom('owner_names')
    .select(['id', 'name', 'display_name'])
    .where('name_key', '=', p.key)
    .where('kind', '=', 'org'),
);

export const findTeamByName = statement((q, p: { orgId: string; key: string }) =>
  q.selectFrom('team_names').select('id').where('org_id', '=', p.orgId).where('name_key', '=', p.key),
);

export const findSharedGroup = statement((q, p: { orgId: string; key: string }) =>
  q.selectFrom('shared_groups').select('id').where('org_id', '=', p.orgId).where('name_key', '=', p.key),
);

/** Memberships of a user that mappings of a provider created, with the current names. */
export const listMapped = statement((q, p: { userId: string; provider: string }) =>
  q
    .selectFrom('mapped_memberships')
    .innerJoin('owner_names', 'owner_names.id', 'mapped_memberships.org_id')
    .leftJoin('team_names', 'team_names.id', 'mapped_memberships.target_id')
    .leftJoin('shared_groups', 'shared_groups.id', 'mapped_memberships.target_id')
    .select([
      'mapped_memberships.kind',
      'mapped_memberships.target_id',
      'mapped_memberships.org_id',
      'mapped_memberships.role',
      'owner_names.name as org_name',
      'owner_names.display_name as org_display_name',
      'team_names.name as team_name',
      'shared_groups.name as group_name',
    ])
    .where('mapped_memberships.user_id', '=', p.userId)
    .where('mapped_memberships.provider', '=', p.provider),
);

export const saveMapped = insertInto('mapped_memberships', (insert) =>
  insert.onConflict((c) =>
    c.columns(['user_id', 'provider', 'kind', 'target_id']).doUpdateSet((e) => ({ role: e.ref('excluded.role') })),
  ),
);

export const deleteMapped = statement(
  (q, p: { userId: string; provider: string; kind: 'org' | 'team' | 'group'; targetId: string }) =>
    q
      .deleteFrom('mapped_memberships')
      .where('user_id', '=', p.userId)
      .where('provider', '=', p.provider)
      .where('kind', '=', p.kind)
      .where('target_id', '=', p.targetId),
);

export const isGroupMember = statement((q, p: { groupId: string; userId: string }) =>
  q.selectFrom('group_members').select('user_id').where('group_id', '=', p.groupId).where('user_id', '=', p.userId),
);
