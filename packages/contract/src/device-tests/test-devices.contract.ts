import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const FormFactor = Type.Enum(['phone', 'tablet']);

export const DeviceConfiguration = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'Such as "Google Pixel 2 XL (8.1.0)".' }),
    tier: Type.Integer({ description: 'Always 1.' }),
    image: Type.Object({
      full: Type.String({ description: 'The URL of a picture of the device.' }),
      thumb: Type.String({ description: 'The URL of a small picture of the device.' }),
    }),
    model: Type.Object({
      name: Type.String(),
      manufacturer: Type.String(),
      model: Type.String(),
      platform: Type.String(),
      resolution: Type.Optional(Type.Object({ height: Type.String(), width: Type.String() })),
      formFactor: FormFactor,
      availabilityCount: Type.Integer({ description: 'The number of devices that are available now.' }),
    }),
    os: Type.String(),
    osName: Type.String(),
    isOnline: Type.Boolean({ description: 'True if a runner with this device is online.' }),
    isEmulated: Type.Boolean({ description: 'True for a device that is emulated in a browser.' }),
    frameworks: Type.Array(Type.String()),
    runners: Type.Array(Type.String(), { description: 'The names of the runners that have this device.' }),
  },
  { $id: 'DeviceConfiguration' },
);

export const DeviceSet = Type.Object(
  {
    id: Type.String(),
    manufacturerCount: Type.Integer({ description: 'The number of different manufacturers in the set.' }),
    name: Type.String(),
    slug: Type.String(),
    owner: Type.Object({
      type: Type.String({ description: '`user` or `organization`.' }),
      id: Type.String(),
      displayName: Type.String(),
      name: Type.String(),
    }),
    osVersionCount: Type.Integer({ description: 'The number of different OS versions in the set.' }),
    deviceConfigurations: Type.Array(
      Type.Object({
        id: Uuid,
        image: Type.Object({ thumb: Type.String({ description: 'The URL of a small picture of the device.' }) }),
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
  description: 'IDs of device configurations.',
});
const SetPath = { ...AppPath, id: Type.String({ minLength: 1, maxLength: 100 }) };
const SetBody = json(
  Type.Object({ devices: Devices, name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) }),
);
const all = json(Type.Array(DeviceSet), { description: 'All device sets, sorted by name.' });
const made = json(DeviceSet, { status: 201, description: 'The device set.' });
const one = json(DeviceSet, { description: 'The device set.' });
const gone = empty({ status: 200, description: 'Deleted.' });

export const test_getDeviceConfigurations = endpoint({
  ...reading,
  id: 'test_getDeviceConfigurations',
  path: `${at}/device_configurations`,
  summary: 'List the devices that tests of an app can run on, including those of offline runners',
  params: Type.Object(AppPath),
  query: Type.Object({
    app_upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The ID of a test run: only devices that can run its framework and app, once these are known.',
      }),
    ),
  }),
  response: json(Type.Array(DeviceConfiguration), { description: 'The devices, online ones first.' }),
});

export const test_createDeviceSelection = endpoint({
  ...common,
  id: 'test_createDeviceSelection',
  method: 'POST',
  path: `${at}/device_selection`,
  summary:
    'Create a short ID for a selection of devices, to start test runs with; the same devices always get the same ID',
  access: 'app:developer',
  effect: 'ingest',
  errorShape: 'stated',
  params: Type.Object(AppPath),
  request: json(Type.Object({ devices: Devices })),
  response: json(Type.Object({ shortId: Type.String() }), { status: 201, description: 'The short ID.' }),
});

const ofOwner = { access: 'app:manager', effect: 'change', errorShape: 'stated' } as const;
const ownerPath = `${at}/owner/device_sets`;

export const test_listDeviceSetsOfOwner = endpoint({
  ...reading,
  id: 'test_listDeviceSetsOfOwner',
  path: ownerPath,
  summary: 'List the device sets of the owner of an app',
  params: Type.Object(AppPath),
  response: all,
});

export const test_createDeviceSetOfOwner = endpoint({
  ...common,
  ...ofOwner,
  id: 'test_createDeviceSetOfOwner',
  method: 'POST',
  path: ownerPath,
  summary: 'Create a device set for all apps of the owner of an app',
  params: Type.Object(AppPath),
  request: SetBody,
  response: made,
});

export const test_getDeviceSetOfOwner = endpoint({
  ...reading,
  id: 'test_getDeviceSetOfOwner',
  path: `${ownerPath}/{id}`,
  summary: 'Get a device set of the owner of an app',
  params: Type.Object(SetPath),
  response: one,
});

export const test_updateDeviceSetOfOwner = endpoint({
  ...common,
  ...ofOwner,
  id: 'test_updateDeviceSetOfOwner',
  method: 'PUT',
  path: `${ownerPath}/{id}`,
  summary: 'Update a device set of the owner of an app',
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
  summary: 'Delete a device set of the owner of an app',
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
  summary: 'List your device sets',
  params: Type.Object(AppPath),
  response: all,
});

export const test_createDeviceSetOfUser = endpoint({
  ...common,
  ...changingOwn,
  id: 'test_createDeviceSetOfUser',
  method: 'POST',
  path: userPath,
  summary: 'Create a device set of your own account',
  params: Type.Object(AppPath),
  request: SetBody,
  response: made,
});

export const test_getDeviceSetOfUser = endpoint({
  ...reading,
  ...ofUser,
  id: 'test_getDeviceSetOfUser',
  path: `${userPath}/{id}`,
  summary: 'Get one of your device sets',
  params: Type.Object(SetPath),
  response: one,
});

export const test_updateDeviceSetOfUser = endpoint({
  ...common,
  ...changingOwn,
  id: 'test_updateDeviceSetOfUser',
  method: 'PUT',
  path: `${userPath}/{id}`,
  summary: 'Update one of your device sets',
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
  summary: 'Delete one of your device sets',
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
const ofClients =
  'For clients that require an active subscription. Devices belong to your own runners, so it is always active.';

export const test_getSubscriptions = endpoint({
  ...subscription,
  id: 'test_getSubscriptions',
  method: 'GET',
  summary: 'Get the test subscription of an app',
  description: ofClients,
  response: json(Subscription, { description: 'The subscription, always active.' }),
});

export const test_createSubscription = endpoint({
  ...subscription,
  id: 'test_createSubscription',
  method: 'POST',
  summary: 'Start a trial of the test subscription, for clients that request one',
  description: ofClients,
  request: json(Type.Object({})),
  response: json(Subscription, { status: 201, description: 'The subscription, always active.' }),
});
