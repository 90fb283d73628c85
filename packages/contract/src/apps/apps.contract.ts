import { Organization } from '../accounts/orgs.contract.ts';
import { AvatarUrl, Person } from '../accounts/users.contract.ts';
import { empty, endpoint, file, json } from '../endpoint/index.ts';
import {
  AppPath,
  avatarUpload,
  Description,
  DisplayName,
  OrgPath,
  OwnerName,
  PathName,
  Time,
  Uuid,
} from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { appPermissions, givenPermissions } from '../permissions.ts';
import { Type } from '../type.ts';

/** Which platforms an app for each operating system can be made with. */
export const platformsOf = {
  Android: ['Java', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Custom'],
  iOS: ['Objective-C-Swift', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Custom'],
  macOS: ['Objective-C-Swift', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Electron', 'Custom'],
  Tizen: ['Xamarin', 'Unity', 'Custom'],
  tvOS: ['Objective-C-Swift', 'React-Native', 'Xamarin', 'Unity', 'Custom'],
  Windows: ['UWP', 'WPF', 'WinForms', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Electron', 'Custom'],
  Linux: ['Electron', 'Unity', 'Custom'],
  Custom: ['Custom'],
} as const;

export type AppOs = keyof typeof platformsOf;
export type AppPlatform = (typeof platformsOf)[AppOs][number];

const Os = Type.Enum(Object.keys(platformsOf) as AppOs[]);
const Platform = Type.Enum([...new Set(Object.values(platformsOf).flat())] as AppPlatform[]);
const Permission = Type.Enum([...appPermissions]);

export const AzureSubscription = Type.Object(
  {
    subscription_id: Uuid,
    tenant_id: Uuid,
    subscription_name: Type.String(),
    is_billing: Type.Optional(Type.Boolean()),
    is_billable: Type.Optional(Type.Boolean()),
    is_microsoft_internal: Type.Optional(Type.Boolean()),
  },
  { $id: 'AzureSubscription' },
);

export const App = Type.Object(
  {
    id: Uuid,
    description: Type.Optional(Type.String()),
    display_name: Type.String(),
    release_type: Type.Optional(Type.String()),
    icon_url: Type.Optional(Type.String()),
    icon_source: Type.Optional(Type.String({ description: '`uploaded` to this server, or a `url` elsewhere.' })),
    name: Type.String(),
    os: Os,
    owner: Type.Object({
      id: Uuid,
      avatar_url: Type.Optional(Type.String()),
      display_name: Type.String(),
      email: Type.Optional(Type.String()),
      name: Type.String(),
      type: Type.Enum(['org', 'user']),
    }),
    app_secret: Type.String({ description: 'The key that SDKs inside the app send. Empty for testers.' }),
    azure_subscription: Type.Optional(AzureSubscription),
    platform: Platform,
    origin: Type.Enum(['appcenter', 'hockeyapp', 'codepush']),
    created_at: Type.Optional(Time),
    updated_at: Type.Optional(Time),
    member_permissions: Type.Optional(Type.Array(Permission, { description: 'What the caller may do.' })),
  },
  { $id: 'App' },
);

const ReleaseType = Type.String({
  pattern: '^([A-Za-z0-9][A-Za-z0-9 _-]{0,49})?$',
  description: 'A short word such as Alpha, Beta or Production; empty for none.',
});

const NewApp = Type.Object({
  description: Type.Optional(Description),
  release_type: Type.Optional(ReleaseType),
  display_name: DisplayName,
  name: Type.Optional(OwnerName),
  os: Os,
  platform: Platform,
});

const ListQuery = Type.Object({
  $orderBy: Type.Optional(Type.Enum(['display_name', 'name'], { description: 'display_name if absent.' })),
  $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'How many at most; all if absent.' })),
  $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many to leave out first.' })),
});

export const GivenPermissions = Type.Array(Type.Enum([...givenPermissions]), {
  minItems: 1,
  maxItems: givenPermissions.length,
  description: 'The highest counts.',
});

const UserPath = { ...AppPath, user_email: Type.String({ minLength: 1, maxLength: 254 }) };

const naming =
  'Without a name, one is made from the display name. A pair of os and platform that does not go together is refused, with those that do.';

export const apps_list = endpoint({
  id: 'apps_list',
  method: 'GET',
  path: '/v0.1/apps',
  tag: 'apps',
  summary: 'Lists the apps that the caller can see, across all owners',
  access: 'user',
  effect: 'read',
  query: ListQuery,
  response: json(Type.Array(App), { description: 'The apps.', isRemembered: true }),
});

/** An app as lists show it: no more than a row holds. */
export const AppInList = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    display_name: Type.String(),
    os: Os,
    platform: Platform,
    release_type: Type.Optional(Type.String()),
    icon_url: Type.Optional(Type.String()),
    owner: Type.Object({
      name: Type.String(),
      display_name: Type.String(),
      type: Type.Enum(['org', 'user']),
      avatar_url: Type.Optional(Type.String()),
    }),
    permission: Type.Enum([...appPermissions], { description: 'What the caller may do.' }),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'AppInList' },
);

export const userApps_list = endpoint({
  id: 'userApps_list',
  method: 'GET',
  path: '/v0.1/user/apps',
  tag: 'apps',
  summary: 'Lists the apps that the caller can see in pages, searched and sorted',
  access: 'user',
  effect: 'read',
  query: Type.Object({
    ...listQuery(
      ['display_name', 'name', 'owner', 'os', 'created_at', 'updated_at'],
      'the names of the apps and of their owners',
    ),
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only apps of this user or organization, by name.' }),
    ),
    os: Type.Optional(Type.Enum(Object.keys(platformsOf) as AppOs[], { description: 'Only apps for this system.' })),
  }),
  response: json(Page(AppInList), { description: 'A page of apps.' }),
});

export const apps_create = endpoint({
  id: 'apps_create',
  method: 'POST',
  path: '/v0.1/apps',
  tag: 'apps',
  summary: 'Creates an app that the caller owns',
  description: naming,
  access: 'user',
  effect: 'change',
  request: json(NewApp),
  response: json(App, { status: 201, description: 'The new app.' }),
  errors: [409],
});

export const apps_listForOrg = endpoint({
  id: 'apps_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/apps',
  tag: 'apps',
  summary: 'Lists the apps of an organization that the caller can see',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: ListQuery,
  response: json(Type.Array(App), { description: 'The apps.' }),
  errors: [404],
});

export const apps_createForOrg = endpoint({
  id: 'apps_createForOrg',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/apps',
  tag: 'apps',
  summary: 'Creates an app that the organization owns',
  description: `Admins and collaborators create apps; whoever creates one is its manager. ${naming}`,
  access: 'org:collaborator',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(NewApp),
  response: json(App, { status: 201, description: 'The new app.' }),
  errors: [404, 409],
});

export const apps_getForOrgUser = endpoint({
  id: 'apps_getForOrgUser',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/users/{user_name}/apps',
  tag: 'apps',
  summary: 'Lists the apps of an organization that one of its members can see',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object({ ...OrgPath, user_name: PathName }),
  response: json(Type.Array(App), { description: "The apps, with the member's permissions." }),
  errors: [404],
});

export const apps_get = endpoint({
  id: 'apps_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}',
  tag: 'apps',
  summary: 'Returns an app',
  access: 'app:tester',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(App, { description: 'The app.' }),
  errors: [404],
});

export const apps_update = endpoint({
  id: 'apps_update',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}',
  tag: 'apps',
  summary: "Changes an app's settings",
  description: 'What is absent stays as it is; an empty description, release_type or icon_url clears it.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      description: Type.Optional(Description),
      display_name: Type.Optional(DisplayName),
      release_type: Type.Optional(ReleaseType),
      name: Type.Optional(OwnerName),
      icon_url: Type.Optional(
        Type.Union([AvatarUrl, Type.Literal('')], { description: 'An https address, or empty for none.' }),
      ),
    }),
  ),
  response: json(App, { description: 'The app after the change.' }),
  errors: [404, 409],
});

export const apps_delete = endpoint({
  id: 'apps_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}',
  tag: 'apps',
  summary: 'Deletes an app and everything that belongs to it',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  response: empty({ description: 'The app is gone, with its tokens.' }),
  errors: [404],
});

export const apps_updateAvatar = endpoint({
  id: 'apps_updateAvatar',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/avatar',
  tag: 'apps',
  summary: "Uploads an app's icon",
  description:
    'A PNG, JPEG, GIF or WebP image of at most 1 MiB and 4096 × 4096 pixels, judged by its content. Whoever knows its address can see it.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: file(avatarUpload),
  response: json(App, { description: 'The app with its new icon.' }),
  errors: [404],
});

export const apps_deleteAvatar = endpoint({
  id: 'apps_deleteAvatar',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/avatar',
  tag: 'apps',
  summary: "Removes an app's icon",
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  response: json(App, { description: 'The app without an icon.' }),
  errors: [404],
});

export const apps_transferOwnership = endpoint({
  id: 'apps_transferOwnership',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/transfer/{destination_owner_name}',
  tag: 'apps',
  summary: 'Gives an app to another owner',
  description:
    'The destination is an organization in which the caller is admin or collaborator, or a user of the app. Refused with 409 if it has an app of that name. Teams and shared distribution groups of an organization that it leaves lose it; its own groups stay. App tokens are revoked.',
  access: 'app:manager',
  effect: 'change',
  only: 'person',
  alsoNeeds: 'the role collaborator in the organization that gets it',
  params: Type.Object({ ...AppPath, destination_owner_name: PathName }),
  request: json(Type.Object({})),
  response: json(App, { description: 'The app at its new address.' }),
  errors: [404, 409],
});

export const apps_transferToOrg = endpoint({
  id: 'apps_transferToOrg',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/transfer_to_org',
  tag: 'apps',
  summary: 'Gives an app to a new organization, named after it',
  description: 'App tokens are revoked, as with any change of owner.',
  access: 'app:manager',
  effect: 'change',
  only: 'person',
  params: Type.Object(AppPath),
  request: json(Type.Object({})),
  response: json(Organization, { description: 'The new organization, with the caller as its admin.' }),
  errors: [404],
});

export const users_list = endpoint({
  id: 'users_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/users',
  tag: 'apps',
  summary: 'Lists who has access to an app, with their permissions',
  description:
    'By membership, by a team, or as an admin of the organization; the highest permission counts. Who only tests it, by a distribution group, is in the list of testers.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Person), { description: 'By name.' }),
  errors: [404],
});

export const apps_removeUser = endpoint({
  id: 'apps_removeUser',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/users/{user_email}',
  tag: 'apps',
  summary: 'Removes a user from an app',
  description:
    'From the next request on, and out of the distribution groups of the app. The owner and the last manager cannot be removed; who has access by a team or a shared distribution group, or as an admin of the organization, keeps that until it is changed there. App tokens that they created and could no longer create are revoked, unless keep_tokens is true.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(UserPath),
  query: Type.Object({
    keep_tokens: Type.Optional(
      Type.Boolean({
        description: 'True: app tokens that they created keep working. They may still know their values.',
      }),
    ),
  }),
  response: empty({ description: 'The user is no longer a user of the app.' }),
  errors: [404, 409],
});

export const apps_updateUserPermissions = endpoint({
  id: 'apps_updateUserPermissions',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/users/{user_email}',
  tag: 'apps',
  summary: 'Changes what a user may do to an app',
  description:
    'The owner and the last manager stay managers. App tokens that the user created and could no longer create are revoked.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(UserPath),
  request: json(Type.Object({ permissions: GivenPermissions })),
  response: empty({ description: 'Changed.' }),
  errors: [404, 409],
});
