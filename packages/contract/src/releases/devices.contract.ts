import { bytes, empty, endpoint, json, redirect, text } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { AppGroupPath } from '../groups/groups.contract.ts';
import { Type } from '../type.ts';
import { ReleasePath } from './releases.contract.ts';

const common = { tag: 'devices', errorShape: 'flat' } as const;
const ofGroup = '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/devices';

const Udid = Type.String({
  pattern: '^[0-9a-fA-F]{8,40}(-[0-9a-fA-F]{16})?$',
  description: 'What Apple knows the device by, such as 00008030-000A1B2C3D4E5F60.',
});
const line = Type.String({ maxLength: 100, pattern: '^[^\\p{Cc}]*$' });

const Device = Type.Object(
  {
    udid: Type.String(),
    model: Type.String(),
    device_name: Type.String(),
    full_device_name: Type.Optional(Type.String({ description: 'With the name of its owner.' })),
    os_build: Type.String(),
    os_version: Type.String(),
    serial: Type.Optional(Type.String()),
    imei: Type.Optional(Type.String()),
    owner_id: Type.Optional(Type.String()),
    status: Type.String({
      description:
        'registered; for a release that has a provisioning profile: provisioned, or unprovisioned if the profile does not name it.',
    }),
    registered_at: Type.Optional(Time),
  },
  { $id: 'Device' },
);

export const devices_list = endpoint({
  ...common,
  id: 'devices_list',
  method: 'GET',
  path: ofGroup,
  summary: 'Lists the Apple devices of the testers in a distribution group',
  description: 'By the profile of a release; without release_id, of the latest that the group was given.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({ release_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999 })) }),
  response: json(Type.Array(Device), { description: 'Without serial numbers and IMEI.' }),
  errors: [404],
});

export const devices_listCsvFormat = endpoint({
  ...common,
  id: 'devices_listCsvFormat',
  method: 'GET',
  path: `${ofGroup}/download_devices_list`,
  summary: "Returns the devices of a distribution group as Apple's developer site takes them",
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({
    unprovisioned_only: Type.Optional(Type.Boolean({ default: false })),
    udids: Type.Optional(Type.String({ maxLength: 10_000, description: 'Only these, with commas between them.' })),
  }),
  response: text({ type: 'text/csv', description: 'Separated by tabs, with one device on each line.' }),
  errors: [404],
});

const ofRelease = '/v0.1/apps/{owner_name}/{app_name}/releases/{release_id}/update_devices';
const ofResigning = `${ofRelease}/{resign_id}`;
const ResigningPath = { ...ReleasePath, resign_id: Uuid };

const Resigning = Type.Object(
  {
    resign_id: Uuid,
    status: Type.String({ description: 'submitted, processing, completed or failed.' }),
    device_count: Type.Integer({ description: 'For how many devices it is signed.' }),
    error_message: Type.Optional(Type.String({ description: 'Why it failed, or what it waits for.' })),
    created_at: Time,
  },
  { $id: 'Resigning' },
);

export const devices_resignRelease = endpoint({
  ...common,
  id: 'devices_resignRelease',
  method: 'POST',
  path: ofRelease,
  summary: 'Has a release signed anew for all devices of those it was given to',
  description:
    "Ours. A runner whose command resign-apple has Apple's tools does it; the package that comes back takes the place of the old one, if it is the same version of the same app and its profile names every device.",
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({})),
  response: json(Resigning, { status: 201, description: 'It is on its way, or waits for what it names.' }),
  errors: [404, 409],
});

export const devices_listResignings = endpoint({
  ...common,
  id: 'devices_listResignings',
  method: 'GET',
  path: ofRelease,
  summary: 'Lists how often a release was signed anew, and what became of it',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ReleasePath),
  response: json(Type.Array(Resigning), { description: 'The newest first, 50 at most; ours.' }),
  errors: [404],
});

export const devices_getReleaseUpdateDevicesStatus = endpoint({
  ...common,
  id: 'devices_getReleaseUpdateDevicesStatus',
  method: 'GET',
  path: ofResigning,
  summary: 'Tells how far the re-signing of a release for more devices is',
  description: "Re-signing needs Apple's tools: a runner that has a command for it does it.",
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ResigningPath),
  query: Type.Object({ include_provisioning_profile: Type.Optional(Type.Boolean()) }),
  response: json(
    Type.Object({
      status: Type.String({ description: 'submitted, processing, completed or failed.' }),
      error_code: Type.Optional(Type.String({ description: 'NoRunner while none can do it, Failed if it failed.' })),
      error_message: Type.Optional(Type.String()),
    }),
    { description: 'How far it is.' },
  ),
  errors: [404],
});

export const devices_getResigningLog = endpoint({
  ...common,
  id: 'devices_getResigningLog',
  method: 'GET',
  path: `${ofResigning}/logs`,
  summary: 'Returns what the command that signed a release anew has said',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ResigningPath),
  response: text({ type: 'text/plain', description: 'The log; ours.' }),
  errors: [404],
});

export const devices_userDevicesList = endpoint({
  ...common,
  id: 'devices_userDevicesList',
  method: 'GET',
  path: '/v0.1/user/devices',
  summary: 'Lists the Apple devices that the caller registered',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(Device), { description: 'The newest first.' }),
});

const DevicePath = { device_udid: Type.String({ minLength: 1, maxLength: 100 }) };

export const devices_deviceDetails = endpoint({
  ...common,
  id: 'devices_deviceDetails',
  method: 'GET',
  path: '/v0.1/user/devices/{device_udid}',
  summary: 'Returns a device that the caller registered',
  access: 'user',
  effect: 'read',
  params: Type.Object(DevicePath),
  response: json(Device, { description: 'The device.' }),
  errors: [404],
});

export const devices_removeUserDevice = endpoint({
  ...common,
  id: 'devices_removeUserDevice',
  method: 'DELETE',
  path: '/v0.1/user/devices/{device_udid}',
  summary: 'Forgets a device of the caller',
  access: 'user',
  effect: 'change',
  params: Type.Object(DevicePath),
  response: empty({ status: 200, description: 'It is forgotten.' }),
  errors: [404],
});

export const devices_registerUserForDevice = endpoint({
  ...common,
  id: 'devices_registerUserForDevice',
  method: 'POST',
  path: '/v0.1/users/{user_id}/devices/register',
  summary: 'Registers an Apple device of the caller, by hand',
  description: 'The user is the caller. One that is registered already is told anew.',
  access: 'user',
  only: 'person',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  request: json(
    Type.Object({
      udid: Udid,
      model: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{Cc}]*$' }),
      os_build: Type.Optional(line),
      os_version: Type.Optional(line),
      serial: Type.Optional(line),
      imei: Type.Optional(line),
      owner_id: Type.Optional(Type.String({ maxLength: 100 })),
    }),
  ),
  response: json(Device, { description: 'The device.' }),
  errors: [404, 409],
});

export const devices_getEnrolmentProfile = endpoint({
  ...common,
  id: 'devices_getEnrolmentProfile',
  method: 'GET',
  path: '/v0.1/user/devices/enrolment_profile',
  summary: 'Returns a profile by which an iPhone or iPad registers itself for the caller',
  description: 'Opened on the device. It works for an hour, and changes nothing on the device.',
  access: 'user',
  effect: 'read',
  response: text({ type: 'application/x-apple-aspen-config', description: 'A configuration profile.' }),
});

export const devices_enrol = endpoint({
  ...common,
  id: 'devices_enrol',
  method: 'POST',
  path: '/v0.1/public/devices/enrol',
  summary: 'Takes what a device tells of itself after its owner has allowed the profile',
  access: 'public',
  alsoNeeds: 'the token in the profile',
  effect: 'change',
  query: Type.Object({ token: Type.String({ maxLength: 300 }) }),
  request: bytes({
    types: ['application/pkcs7-signature', 'application/x-apple-aspen-mdm', 'application/xml', 'text/xml'],
    maxBytes: 65_536,
    maxInflated: 65_536,
  }),
  response: redirect({ status: 301, description: 'To the page that shows it.' }),
  errors: [403, 409],
});
