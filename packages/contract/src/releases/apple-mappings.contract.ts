import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';

const common = { tag: 'stores', errorShape: 'flat', errors: [404], params: Type.Object(AppPath) } as const;
const home = '/v0.1/apps/{owner_name}/{app_name}/apple_mapping';

const AppleId = Type.String({
  pattern: '^[0-9]{1,15}$',
  description: 'The number of the app in the App Store, such as 1234567890.',
});
const GroupId = Type.String({ minLength: 1, maxLength: 100 });
const GroupName = Type.String({ minLength: 1, maxLength: 200 });

const AppleMapping = Type.Object(
  {
    app_id: Type.String({ description: 'Of the app here.' }),
    service_connection_id: Type.String(),
    apple_id: Type.Optional(AppleId),
    bundle_identifier: Type.Optional(Type.String({ description: 'Ours.' })),
    team_identifier: Type.String(),
  },
  { $id: 'AppleMapping' },
);

const noted =
  'It is noted as it is told, and handed to the command of a runner that publishes: this server does not sign in to App Store Connect.';

export const appleMapping_get = endpoint({
  ...common,
  id: 'appleMapping_get',
  method: 'GET',
  path: home,
  summary: 'Tells which app of the App Store an app is',
  access: 'app:viewer',
  effect: 'read',
  response: json(AppleMapping, { description: 'What was noted.' }),
});

export const appleMapping_create = endpoint({
  ...common,
  id: 'appleMapping_create',
  method: 'POST',
  path: home,
  summary: 'Notes which app of the App Store an app is',
  description: `${noted} Name apple_id, bundle_identifier or both. What was noted before is replaced.`,
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
          description: 'Ours: its groups of testers there, for whoever asks for them.',
        }),
      ),
    }),
  ),
  response: json(AppleMapping, { status: 201, description: 'It is noted.' }),
});

export const appleMapping_delete = endpoint({
  ...common,
  id: 'appleMapping_delete',
  method: 'DELETE',
  path: home,
  summary: 'Forgets which app of the App Store an app is',
  access: 'app:manager',
  effect: 'change',
  response: empty({ status: 200, description: 'It is forgotten.' }),
});

export const appleMapping_TestFlightGroups = endpoint({
  ...common,
  id: 'appleMapping_TestFlightGroups',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/apple_test_flight_groups',
  summary: 'Lists the TestFlight groups that were noted of an app',
  description: 'Those that appleMapping_create was told of: this server does not sign in to App Store Connect.',
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
    { description: 'As they were told.' },
  ),
});
