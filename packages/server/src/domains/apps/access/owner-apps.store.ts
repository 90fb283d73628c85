import { sql } from 'kysely';
import { statement } from '../apps.tables.ts';

const changing = ['developer', 'manager'] as const;

/** The owner with this name, if the user may develop one of its apps. Admins of an organization need no app. */
export const findDevelopedOwner = statement((q, p: { ownerKey: string; userId: string }) =>
  q
    .selectFrom('owner_names')
    .select(['owner_names.id', 'owner_names.name'])
    .where('owner_names.name_key', '=', p.ownerKey)
    .where(({ or, exists }) =>
      or([
        exists(
          q
            .selectFrom('app_members')
            .innerJoin('apps', 'apps.id', 'app_members.app_id')
            .select('apps.id')
            .where('app_members.user_id', '=', p.userId)
            .where('app_members.permission', 'in', changing)
            .where('apps.owner_id', '=', sql.ref<string>('owner_names.id')),
        ),
        exists(
          q
            .selectFrom('team_members')
            .innerJoin('team_apps', 'team_apps.team_id', 'team_members.team_id')
            .innerJoin('apps', 'apps.id', 'team_apps.app_id')
            .select('apps.id')
            .where('team_members.user_id', '=', p.userId)
            .where('team_apps.permission', 'in', changing)
            .where('apps.owner_id', '=', sql.ref<string>('owner_names.id')),
        ),
        exists(
          q
            .selectFrom('organization_members')
            .select('organization_members.org_id')
            .where('organization_members.org_id', '=', sql.ref<string>('owner_names.id'))
            .where('organization_members.user_id', '=', p.userId)
            .where('organization_members.role', '=', 'admin'),
        ),
      ]),
    ),
);
