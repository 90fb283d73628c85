import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const FormFactor = Type.Enum(['phone', 'tablet']);

export const DeviceConfiguration = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'Such as "Google Pixel 2 XL (8.1.0)".' }),
    tier: Type.Integer(),
    image: Type.Object({ full: Type.String(), thumb: Type.String() }),
    model: Type.Object({
      name: Type.String(),
      manufacturer: Type.String(),
      model: Type.String(),
      platform: Type.String(),
      resolution: Type.Optional(Type.Object({ height: Type.String(), width: Type.String() })),
      formFactor: FormFactor,
      availabilityCount: Type.Integer({ description: 'How many are at hand now.' }),
    }),
    os: Type.String(),
    osName: Type.String(),
    isOnline: Type.Boolean({ description: 'Whether a runner that has one is there.' }),
    isEmulated: Type.Boolean({ description: 'A browser that pretends to be one.' }),
    frameworks: Type.Array(Type.String()),
    runners: Type.Array(Type.String(), { description: 'The names of runners that have it.' }),
  },
  { $id: 'DeviceConfiguration' },
);

export const DeviceSet = Type.Object(
  {
    id: Type.String(),
    manufacturerCount: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    owner: Type.Object({
      type: Type.String({ description: '`user` or `organization`.' }),
      id: Type.String(),
      displayName: Type.String(),
      name: Type.String(),
    }),
    osVersionCount: Type.Integer(),
    deviceConfigurations: Type.Array(
      Type.Object({
        id: Uuid,
        image: Type.Object({ thumb: Type.String() }),
        model: Type.Object({ name: Type.String(), manufacturer: Type.String(), formFactor: FormFactor }),
        os: Type.String(),
        osName: Type.String(),
      }),
    ),
  },
  { $id: 'DeviceSet' },
);

const common = { tag: 'tests', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const at = '/v0.1/apps/{owner_name}/{app_name}';
const Devices = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Ids of configurations.',
});
const SetPath = { ...AppPath, id: Type.String({ minLength: 1, maxLength: 100 }) };
const SetBody = json(
  Type.Object({ devices: Devices, name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) }),
);
const all = json(Type.Array(DeviceSet), { description: 'All of them, by name.' });
const made = json(DeviceSet, { status: 201, description: 'The set.' });
const one = json(DeviceSet, { description: 'The set.' });
const gone = empty({ status: 200, description: 'It is gone.' });

export const test_getDeviceConfigurations = endpoint({
  ...reading,
  id: 'test_getDeviceConfigurations',
  path: `${at}/device_configurations`,
  summary:
    'Lists the devices that tests of an app can run on: those that its runners have, and had when they were last seen',
  params: Type.Object(AppPath),
  query: Type.Object({
    app_upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Of a test run: only devices of the system of its app that can run its framework, once that is known.',
      }),
    ),
  }),
  response: json(Type.Array(DeviceConfiguration), { description: 'Those that are online first.' }),
});

export const test_createDeviceSelection = endpoint({
  ...common,
  id: 'test_createDeviceSelection',
  method: 'POST',
  path: `${at}/device_selection`,
  summary: 'Makes a short id for some devices, to start test runs with; for the same devices it is always the same',
  access: 'app:developer',
  effect: 'ingest',
  errorShape: 'stated',
  params: Type.Object(AppPath),
  request: json(Type.Object({ devices: Devices })),
  response: json(Type.Object({ shortId: Type.String() }), { status: 201, description: 'The short id.' }),
});

const ofOwner = { access: 'app:manager', effect: 'change', errorShape: 'stated' } as const;
const ownerPath = `${at}/owner/device_sets`;

export const test_listDeviceSetsOfOwner = endpoint({
  ...reading,
  id: 'test_listDeviceSetsOfOwner',
  path: ownerPath,
  summary: 'Lists the sets of devices of the owner of an app',
  params: Type.Object(AppPath),
  response: all,
});

export const test_createDeviceSetOfOwner = endpoint({
  ...common,
  ...ofOwner,
  id: 'test_createDeviceSetOfOwner',
  method: 'POST',
  path: ownerPath,
  summary: 'Makes a set of devices for all apps of the owner of an app',
  params: Type.Object(AppPath),
  request: SetBody,
  response: made,
});

export const test_getDeviceSetOfOwner = endpoint({
  ...reading,
  id: 'test_getDeviceSetOfOwner',
  path: `${ownerPath}/{id}`,
  summary: 'Reads a set of devices of the owner of an app',
  params: Type.Object(SetPath),
  response: one,
});

export const test_updateDeviceSetOfOwner = endpoint({
  ...common,
  ...ofOwner,
  id: 'test_updateDeviceSetOfOwner',
  method: 'PUT',
  path: `${ownerPath}/{id}`,
  summary: 'Changes a set of devices of the owner of an app',
  params: Type.Object(SetPath),
  request: SetBody,
  response: one,
});

export const test_deleteDeviceSetOfOwner = endpoint({
  ...common,
  ...ofOwner,
  id: 'test_deleteDeviceSetOfOwner',
  method: 'DELETE',
  path: `${ownerPath}/{id}`,
  summary: 'Removes a set of devices of the owner of an app',
  params: Type.Object(SetPath),
  response: gone,
});

const ofUser = { access: 'app:viewer', only: 'person' } as const;
const changingOwn = { ...ofUser, effect: 'change', errorShape: 'stated' } as const;
const userPath = `${at}/user/device_sets`;

export const test_listDeviceSetsOfUser = endpoint({
  ...reading,
  ...ofUser,
  id: 'test_listDeviceSetsOfUser',
  path: userPath,
  summary: 'Lists your own sets of devices',
  params: Type.Object(AppPath),
  response: all,
});

export const test_createDeviceSetOfUser = endpoint({
  ...common,
  ...changingOwn,
  id: 'test_createDeviceSetOfUser',
  method: 'POST',
  path: userPath,
  summary: 'Makes a set of devices of your own',
  params: Type.Object(AppPath),
  request: SetBody,
  response: made,
});

export const test_getDeviceSetOfUser = endpoint({
  ...reading,
  ...ofUser,
  id: 'test_getDeviceSetOfUser',
  path: `${userPath}/{id}`,
  summary: 'Reads a set of devices of your own',
  params: Type.Object(SetPath),
  response: one,
});

export const test_updateDeviceSetOfUser = endpoint({
  ...common,
  ...changingOwn,
  id: 'test_updateDeviceSetOfUser',
  method: 'PUT',
  path: `${userPath}/{id}`,
  summary: 'Changes a set of devices of your own',
  params: Type.Object(SetPath),
  request: SetBody,
  response: one,
});

export const test_deleteDeviceSetOfUser = endpoint({
  ...common,
  ...changingOwn,
  id: 'test_deleteDeviceSetOfUser',
  method: 'DELETE',
  path: `${userPath}/{id}`,
  summary: 'Removes a set of devices of your own',
  params: Type.Object(SetPath),
  response: gone,
});

const Subscription = Type.Object(
  {
    startsAt: Time,
    endsAt: Time,
    daysLeft: Type.Integer(),
    tier: Type.Object({ name: Type.String() }),
    active: Type.Boolean(),
    id: Uuid,
  },
  { $id: 'TestSubscription' },
);
const subscription = {
  ...common,
  access: 'app:viewer',
  effect: 'read',
  path: `${at}/subscriptions`,
  params: Type.Object(AppPath),
} as const;
const ofClients = 'For clients that ask before they test: devices are your own, so it is always active.';

export const test_getSubscriptions = endpoint({
  ...subscription,
  id: 'test_getSubscriptions',
  method: 'GET',
  summary: 'Says that tests may run',
  description: ofClients,
  response: json(Subscription, { description: 'Always active.' }),
});

export const test_createSubscription = endpoint({
  ...subscription,
  id: 'test_createSubscription',
  method: 'POST',
  summary: 'Says that tests may run, to clients that ask for a trial',
  description: ofClients,
  request: json(Type.Object({})),
  response: json(Subscription, { status: 201, description: 'Always active.' }),
});
