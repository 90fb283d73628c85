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
import { appPermissions, grantablePermissions } from '../permissions.ts';
import { Type } from '../type.ts';

/** The platforms that an app for each operating system can have. */
export const platformsByOs = {
  Android: ['Java', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Custom'],
  iOS: ['Objective-C-Swift', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Custom'],
  macOS: ['Objective-C-Swift', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Electron', 'Custom'],
  Tizen: ['Xamarin', 'Unity', 'Custom'],
  tvOS: ['Objective-C-Swift', 'React-Native', 'Xamarin', 'Unity', 'Custom'],
  Windows: ['UWP', 'WPF', 'WinForms', 'React-Native', 'Cordova', 'Xamarin', 'Unity', 'Electron', 'Custom'],
  Linux: ['Electron', 'Unity', 'Custom'],
  Custom: ['Custom'],
} as const;

export type AppOs = keyof typeof platformsByOs;
export type AppPlatform = (typeof platformsByOs)[AppOs][number];

const Os = Type.Enum(Object.keys(platformsByOs) as AppOs[]);
const Platform = Type.Enum([...new Set(Object.values(platformsByOs).flat())] as AppPlatform[]);
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
    icon_source: Type.Optional(
      Type.String({ description: '`uploaded` for an icon uploaded to this server, `url` for one hosted elsewhere.' }),
    ),
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
    app_secret: Type.String({ description: 'The secret that SDKs inside the app send. Empty for testers.' }),
    azure_subscription: Type.Optional(AzureSubscription),
    platform: Platform,
    origin: Type.Enum(['appcenter', 'hockeyapp', 'codepush']),
    created_at: Type.Optional(Time),
    updated_at: Type.Optional(Time),
    member_permissions: Type.Optional(Type.Array(Permission, { description: 'The permissions of the caller.' })),
  },
  { $id: 'App' },
);

const ReleaseType = Type.String({
  pattern: '^([A-Za-z0-9][A-Za-z0-9 _-]{0,49})?$',
  description: 'A short word such as Alpha, Beta or Production. Empty for none.',
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
  $orderBy: Type.Optional(
    Type.Enum(['display_name', 'name'], { description: 'The field to sort by (default: display_name).' }),
  ),
  $top: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'The maximum number of apps (default: all).' }),
  ),
  $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The number of apps to skip.' })),
});

export const GrantablePermissions = Type.Array(Type.Enum([...grantablePermissions]), {
  minItems: 1,
  maxItems: grantablePermissions.length,
  description: 'The highest permission counts.',
});

const UserPath = { ...AppPath, user_email: Type.String({ minLength: 1, maxLength: 254 }) };

const naming =
  'The default name is derived from the display name. A combination of os and platform that is not supported fails, with a list of those that are.';

export const apps_list = endpoint({
  id: 'apps_list',
  method: 'GET',
  path: '/v0.1/apps',
  tag: 'apps',
  summary: 'List the apps that the caller can see, across all owners',
  access: 'user',
  effect: 'read',
  query: ListQuery,
  response: json(Type.Array(App), { description: 'The apps.', isRemembered: true }),
});

/** An app as lists show it, with only the fields of a row. */
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
    permission: Type.Enum([...appPermissions], { description: 'The permission of the caller.' }),
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
  summary: 'List the apps that the caller can see in pages, searchable and sortable',
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
    os: Type.Optional(
      Type.Enum(Object.keys(platformsByOs) as AppOs[], { description: 'Only apps for this operating system.' }),
    ),
    favorite: Type.Optional(Type.Boolean({ description: 'True: only favorite apps of the caller.' })),
  }),
  response: json(Page(AppInList), { description: 'A page of apps.' }),
});

export const apps_create = endpoint({
  id: 'apps_create',
  method: 'POST',
  path: '/v0.1/apps',
  tag: 'apps',
  summary: 'Create an app that the caller owns',
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
  summary: 'List the apps of an organization that the caller can see',
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
  summary: 'Create an app that the organization owns',
  description: `Requires admin or collaborator in the organization. The caller becomes manager of the app. ${naming}`,
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
  summary: 'List the apps of an organization that a member can see',
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
  summary: 'Get an app',
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
  summary: "Update an app's settings",
  description: 'Omitted fields stay unchanged. An empty description, release_type or icon_url clears the field.',
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
        Type.Union([AvatarUrl, Type.Literal('')], { description: 'An https URL, or empty for none.' }),
      ),
    }),
  ),
  response: json(App, { description: 'The updated app.' }),
  errors: [404, 409],
});

export const apps_delete = endpoint({
  id: 'apps_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}',
  tag: 'apps',
  summary: 'Delete an app and all its data',
  access: 'app:manager',
  effect: 'change',
  confirms: true,
  params: Type.Object(AppPath),
  response: empty({ description: 'The app is deleted, with its tokens.' }),
  errors: [404],
});

export const apps_updateAvatar = endpoint({
  id: 'apps_updateAvatar',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/avatar',
  tag: 'apps',
  summary: "Upload an app's icon",
  description:
    'A PNG, JPEG, GIF or WebP image of at most 1 MiB and 4096 × 4096 pixels. The server checks its content, not its name. Anyone with the URL of the icon can see it.',
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
  summary: "Remove an app's icon",
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
  summary: 'Transfer an app to another owner',
  description:
    'The destination is an organization where the caller is admin or collaborator, or a user of the app. Fails with 409 if the destination has an app of that name. The app leaves the teams and shared distribution groups of its previous organization and keeps its own groups. Its app tokens are revoked.',
  access: 'app:manager',
  effect: 'change',
  only: 'person',
  alsoNeeds: 'the role collaborator in the destination organization',
  params: Type.Object({ ...AppPath, destination_owner_name: PathName }),
  request: json(Type.Object({})),
  response: json(App, { description: 'The app under its new owner.' }),
  errors: [404, 409],
});

export const apps_transferToOrg = endpoint({
  id: 'apps_transferToOrg',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/transfer_to_org',
  tag: 'apps',
  summary: 'Transfer an app to a new organization, named after the app',
  description: 'Its app tokens are revoked, as with any transfer.',
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
  summary: 'List the users with access to an app, with their permissions',
  description:
    'Access comes from a permission on the app, a team, or the admin role in the organization; the highest permission counts. Users who are only testers, through a distribution group, are in the list of testers.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Person), { description: 'The users, sorted by name.' }),
  errors: [404],
});

export const apps_removeUser = endpoint({
  id: 'apps_removeUser',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/users/{user_email}',
  tag: 'apps',
  summary: 'Remove a user from an app',
  description:
    "Also removes the user from the distribution groups of the app. The owner and the last manager can't be removed. Access through a team, a shared distribution group or the admin role in the organization stays until it is changed there. Revokes app tokens that the user created and could no longer create, unless keep_tokens is true.",
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(UserPath),
  query: Type.Object({
    keep_tokens: Type.Optional(
      Type.Boolean({
        description: 'True: keep the app tokens that the user created. The user may still know their values.',
      }),
    ),
  }),
  response: empty({ description: 'The user no longer has a permission on the app.' }),
  errors: [404, 409],
});

export const apps_updateUserPermissions = endpoint({
  id: 'apps_updateUserPermissions',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/users/{user_email}',
  tag: 'apps',
  summary: 'Update the permission of a user on an app',
  description:
    'The owner and the last manager stay managers. Revokes app tokens that the user created and could no longer create.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(UserPath),
  request: json(Type.Object({ permissions: GrantablePermissions })),
  response: empty({ description: 'The permission is updated.' }),
  errors: [404, 409],
});
