import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, PathName } from '../fields.ts';
import { Type } from '../type.ts';
import { sentryCliSurface } from './sentry-cli.surface.ts';

const Version = Type.String({ minLength: 1, maxLength: 250 });
const OptionalTime = Type.Optional(Type.Union([Type.String({ maxLength: 50 }), Type.Null()]));

const SentryRelease = Type.Object(
  {
    version: Type.String(),
    dateCreated: Type.String(),
    dateReleased: Type.Union([Type.String(), Type.Null()]),
    url: Type.Null(),
    newGroups: Type.Integer(),
    lastEvent: Type.Null(),
    projects: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() })),
  },
  { $id: 'SentryRelease' },
);

const NewRelease = Type.Object({
  version: Version,
  projects: Type.Optional(Type.Array(PathName, { maxItems: 100 })),
  dateStarted: OptionalTime,
  dateReleased: OptionalTime,
});
const ChangedRelease = Type.Object({
  projects: Type.Optional(Type.Array(PathName, { maxItems: 100 })),
  dateStarted: OptionalTime,
  dateReleased: OptionalTime,
});

const common = { tag: 'symbols', surface: sentryCliSurface, effect: 'read', errors: [404] } as const;
const ofApp = { ...common, access: 'app:developer' } as const;
const ofOwner = { ...common, access: 'ownerApps' } as const;
const description =
  'Checks the request and stores nothing: the versions of an app come from the data that it sends. Build scripts for Sentry call it.';
const response = json(SentryRelease, { description: 'The release as requested.' });

export const sentryReleases_createForApp = endpoint({
  ...ofApp,
  id: 'sentryReleases_createForApp',
  method: 'POST',
  path: '/api/0/projects/{owner_name}/{app_name}/releases/',
  summary: 'Accept a release of an app from sentry-cli 2',
  description,
  params: Type.Object(AppPath),
  request: json(NewRelease),
  response,
});

export const sentryReleases_updateForApp = endpoint({
  ...ofApp,
  id: 'sentryReleases_updateForApp',
  method: 'PUT',
  path: '/api/0/projects/{owner_name}/{app_name}/releases/{version}/',
  summary: 'Accept a change of a release of an app from sentry-cli 2',
  description,
  params: Type.Object({ ...AppPath, version: Version }),
  request: json(ChangedRelease),
  response,
});

export const sentryReleases_create = endpoint({
  ...ofOwner,
  id: 'sentryReleases_create',
  method: 'POST',
  path: '/api/0/organizations/{owner_name}/releases/',
  summary: 'Accept a release of several apps from sentry-cli 3',
  description,
  params: Type.Object({ owner_name: PathName }),
  request: json(NewRelease),
  response,
});

export const sentryReleases_update = endpoint({
  ...ofOwner,
  id: 'sentryReleases_update',
  method: 'PUT',
  path: '/api/0/organizations/{owner_name}/releases/{version}/',
  summary: 'Accept a change of a release of several apps from sentry-cli 3',
  description,
  params: Type.Object({ owner_name: PathName, version: Version }),
  request: json(ChangedRelease),
  response,
});
