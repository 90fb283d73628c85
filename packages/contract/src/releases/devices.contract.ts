import { Type } from 'typebox';
import { bytes, empty, endpoint, json, redirect, text } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { AppGroupPath } from '../groups/groups.contract.ts';
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

export const devices_getReleaseUpdateDevicesStatus = endpoint({
  ...common,
  id: 'devices_getReleaseUpdateDevicesStatus',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/releases/{release_id}/update_devices/{resign_id}',
  summary: 'Tells how far the re-signing of a release for more devices is',
  description:
    "Re-signing needs Apple's tools, which this server does not have: status is always unavailable, and error_message says what to do instead.",
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object({ ...ReleasePath, resign_id: Uuid }),
  query: Type.Object({ include_provisioning_profile: Type.Optional(Type.Boolean()) }),
  response: json(
    Type.Object({
      status: Type.String(),
      error_code: Type.Optional(Type.String()),
      error_message: Type.Optional(Type.String()),
    }),
    { description: 'That it was not done.' },
  ),
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
