import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { appPermissions } from '../permissions.ts';
import { Type } from '../type.ts';

const Permission = Type.Enum([...appPermissions]);

/** One way in which somebody has access to an app. */
const AccessWay = Type.Object({
  kind: Type.Enum(['direct', 'team', 'organization'], {
    description: 'A role of their own on the app, a team, or being an admin of the organization that owns it.',
  }),
  permission: Permission,
  name: Type.Optional(Type.String({ description: 'Of the team or the organization.' })),
  display_name: Type.Optional(Type.String()),
});

export const AppAccess = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    display_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.Optional(Type.String()),
    permission: Type.Enum([...appPermissions], { description: 'The highest of all ways together.' }),
    is_owner: Type.Boolean({ description: 'Owns the app, and so stays its manager.' }),
    via: Type.Array(AccessWay, {
      description: 'Every way, the highest permission first. Only a direct one is changed here.',
    }),
  },
  { $id: 'AppAccess' },
);

export const apps_listAccess = endpoint({
  id: 'apps_listAccess',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/access',
  tag: 'apps',
  summary: 'Lists who has access to an app, and by what: directly, by a team, or by the organization',
  description: 'Who only tests it, by a distribution group, is in the list of testers.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object(listQuery(['display_name', 'name', 'email', 'permission'], 'names and e-mail addresses')),
  response: json(Page(AppAccess), { description: 'A page of people.' }),
  errors: [404],
});
