import { empty, endpoint, json } from '../../endpoint/index.ts';
import { AppPath } from '../../fields.ts';
import { Type } from '../../type.ts';

const common = { tag: 'stores', errorShape: 'flat', errors: [404], params: Type.Object(AppPath) } as const;
const home = '/v0.1/apps/{owner_name}/{app_name}/apple_mapping';

const AppleId = Type.String({
  pattern: '^[0-9]{1,15}$',
  description: 'The numeric ID of the app in the App Store, such as 1234567890.',
});
const GroupId = Type.String({ minLength: 1, maxLength: 100 });
const GroupName = Type.String({ minLength: 1, maxLength: 200 });

const AppleMapping = Type.Object(
  {
    app_id: Type.String({ description: 'The ID of the app on this server.' }),
    service_connection_id: Type.String(),
    apple_id: Type.Optional(AppleId),
    bundle_identifier: Type.Optional(Type.String({ description: 'Mooring only: the bundle ID of the app.' })),
    team_identifier: Type.String(),
  },
  { $id: 'AppleMapping' },
);

const noted =
  'The server stores this data as provided, and passes it to the runner command that publishes. It does not sign in to App Store Connect.';

export const appleMapping_get = endpoint({
  ...common,
  id: 'appleMapping_get',
  method: 'GET',
  path: home,
  summary: 'Get the App Store app that an app is linked to',
  access: 'app:viewer',
  effect: 'read',
  response: json(AppleMapping, { description: 'The link.' }),
});

export const appleMapping_create = endpoint({
  ...common,
  id: 'appleMapping_create',
  method: 'POST',
  path: home,
  summary: 'Link an app to its App Store app',
  description: `${noted} Set apple_id, bundle_identifier or both. Replaces a previous link.`,
  access: 'app:manager',
  effect: 'change',
  request: json(
    Type.Object({
      service_connection_id: Type.String({ minLength: 1, maxLength: 100 }),
      apple_id: Type.Optional(AppleId),
      bundle_identifier: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.-]{1,155}$' })),
      team_identifier: Type.String({ pattern: '^[A-Za-z0-9]{1,32}$' }),
      test_flight_groups: Type.Optional(
        Type.Array(Type.Object({ id: GroupId, name: GroupName }), {
          maxItems: 100,
          description: 'Mooring only: its TestFlight groups, for clients that list them.',
        }),
      ),
    }),
  ),
  response: json(AppleMapping, { status: 201, description: 'The app is linked.' }),
});

export const appleMapping_delete = endpoint({
  ...common,
  id: 'appleMapping_delete',
  method: 'DELETE',
  path: home,
  summary: 'Unlink an app from its App Store app',
  access: 'app:manager',
  effect: 'change',
  response: empty({ status: 200, description: 'The app is unlinked.' }),
});

export const appleMapping_TestFlightGroups = endpoint({
  ...common,
  id: 'appleMapping_TestFlightGroups',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/apple_test_flight_groups',
  summary: 'List the TestFlight groups of an app',
  description: 'Returns the groups that appleMapping_create set: this server does not sign in to App Store Connect.',
  access: 'app:viewer',
  effect: 'read',
  response: json(
    Type.Array(
      Type.Object({
        id: GroupId,
        name: GroupName,
        appleId: Type.Optional(Type.Integer({ description: 'The number of the app.' })),
      }),
    ),
    { description: 'The groups as they were set.' },
  ),
});
