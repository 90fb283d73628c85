import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { appPermissions } from '../permissions.ts';
import { Type } from '../type.ts';

const Permission = Type.Enum([...appPermissions]);

/** A source of a user's access to an app. */
const AccessWay = Type.Object({
  kind: Type.Enum(['direct', 'team', 'organization'], {
    description:
      "The user's own permission on the app, a team, or the admin role in the organization that owns the app.",
  }),
  permission: Permission,
  name: Type.Optional(Type.String({ description: 'The name of the team or the organization.' })),
  display_name: Type.Optional(Type.String()),
});

export const AppAccess = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    display_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.Optional(Type.String()),
    permission: Type.Enum([...appPermissions], { description: 'The highest permission of all sources.' }),
    is_owner: Type.Boolean({ description: 'True for the owner of the app, who always stays its manager.' }),
    via: Type.Array(AccessWay, {
      description:
        'All sources of the access, highest permission first. Only a direct permission can be changed on the app.',
    }),
  },
  { $id: 'AppAccess' },
);

export const apps_listAccess = endpoint({
  id: 'apps_listAccess',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/access',
  tag: 'apps',
  summary:
    'List the users with access to an app, and how they got it: directly, through a team, or through the organization',
  description:
    'Does not include users who are only testers, through a distribution group; the list of testers has them.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object(listQuery(['display_name', 'name', 'email', 'permission'], 'names and email addresses')),
  response: json(Page(AppAccess), { description: 'A page of users.' }),
  errors: [404],
});
