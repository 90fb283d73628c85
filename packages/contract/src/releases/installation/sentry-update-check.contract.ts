import { endpoint, json } from '../../endpoint/index.ts';
import { AppPath, Time } from '../../fields.ts';
import { sentryCliSurface } from '../../symbols/sentry-cli.surface.ts';
import { Type } from '../../type.ts';

const Text = Type.Optional(Type.String({ maxLength: 300 }));

const CheckedRelease = Type.Object({
  id: Type.String(),
  build_version: Type.String({ description: 'The version for people, such as 1.4.0.' }),
  build_number: Type.Integer({ description: 'The build, or 0 if it is no whole number.' }),
  release_notes: Type.Optional(Type.String()),
  download_url: Type.String({ description: 'The URL that the device opens to install it.' }),
  app_name: Type.String(),
  created_date: Time,
  install_groups: Type.Optional(Type.Array(Type.String())),
});

export const releases_checkForSentryUpdate = endpoint({
  id: 'releases_checkForSentryUpdate',
  method: 'GET',
  path: '/api/0/projects/{owner_name}/{app_name}/preprodartifacts/check-for-updates/',
  tag: 'in-app updates',
  surface: sentryCliSurface,
  access: 'app:tester',
  effect: 'read',
  summary: 'Check for an update, for the distribution module of a Sentry SDK',
  description:
    'Compares the installed build with the latest release of the public groups, or of those that `install_groups` names. The token is built into the app and can be extracted, so use one of a service account that is only a tester of this app.',
  errors: [404],
  params: Type.Object(AppPath),
  query: Type.Object({
    app_id: Text,
    platform: Text,
    build_version: Type.String({ maxLength: 100, description: 'The installed version, such as 1.4.0.' }),
    build_number: Text,
    build_configuration: Text,
    main_binary_identifier: Text,
    install_groups: Type.Optional(
      Type.Union([Type.String({ maxLength: 300 }), Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 })]),
    ),
  }),
  response: json(
    Type.Object(
      { current: Type.Optional(CheckedRelease), update: Type.Optional(CheckedRelease) },
      { $id: 'SentryUpdate' },
    ),
    {
      description: 'The installed release, if it is known, and the newer one. Without `update` the app is up to date.',
    },
  ),
});
