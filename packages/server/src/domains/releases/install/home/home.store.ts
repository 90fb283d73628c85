import { statement } from '../../releases.tables.ts';

/** Returns a row if the user is a tester in the group. */
export const findTester = statement((q, p: { groupId: string; userId: string }) =>
  q
    .selectFrom('group_members')
    .select('group_members.user_id')
    .where('group_members.group_id', '=', p.groupId)
    .where('group_members.user_id', '=', p.userId),
);

export const findOrgId = statement((q, p: { key: string }) =>
  q.selectFrom('owner_names').select('id').where('name_key', '=', p.key).where('kind', '=', 'org'),
);
