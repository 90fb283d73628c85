import { bytes, empty, endpoint, json, redirect, text } from '../../endpoint/index.ts';
import { Time, Uuid } from '../../fields.ts';
import { AppGroupPath } from '../../groups/groups.contract.ts';
import { Type } from '../../type.ts';
import { ReleasePath } from '../releases.contract.ts';

const common = { tag: 'devices', errorShape: 'flat' } as const;
const ofGroup = '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/devices';

const Udid = Type.String({
  pattern: '^[0-9a-fA-F]{8,40}(-[0-9a-fA-F]{16})?$',
  description: 'The UDID of the device, such as 00008030-000A1B2C3D4E5F60.',
});
const line = Type.String({ maxLength: 100, pattern: '^[^\\p{Cc}]*$' });

const Device = Type.Object(
  {
    udid: Type.String(),
    model: Type.String(),
    device_name: Type.String(),
    full_device_name: Type.Optional(Type.String({ description: 'Includes the name of its owner.' })),
    os_build: Type.String(),
    os_version: Type.String(),
    serial: Type.Optional(Type.String()),
    imei: Type.Optional(Type.String()),
    owner_id: Type.Optional(Type.String()),
    status: Type.String({
      description:
        '`registered`. For a release with a provisioning profile: `provisioned`, or `unprovisioned` if the profile does not include the device.',
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
  summary: 'List the Apple devices of the testers in a distribution group',
  description: 'The status applies to the profile of a release (default: the latest release of the group).',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({ release_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999 })) }),
  response: json(Type.Array(Device), { description: 'The devices, without serial numbers and IMEI.' }),
  errors: [404],
});

export const devices_listCsvFormat = endpoint({
  ...common,
  id: 'devices_listCsvFormat',
  method: 'GET',
  path: `${ofGroup}/download_devices_list`,
  summary: "Download the devices of a distribution group, in the format of Apple's developer site",
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({
    unprovisioned_only: Type.Optional(Type.Boolean({ default: false })),
    udids: Type.Optional(Type.String({ maxLength: 10_000, description: 'Only these devices, comma-separated.' })),
  }),
  response: text({ type: 'text/csv', description: 'Tab-separated text with one device per line.' }),
  errors: [404],
});

const ofRelease = '/v0.1/apps/{owner_name}/{app_name}/releases/{release_id}/update_devices';
const ofResigning = `${ofRelease}/{resign_id}`;
const ResigningPath = { ...ReleasePath, resign_id: Uuid };

const Resigning = Type.Object(
  {
    resign_id: Uuid,
    status: Type.String({ description: 'submitted, processing, completed or failed.' }),
    device_count: Type.Integer({ description: 'The number of devices that it is signed for.' }),
    error_message: Type.Optional(Type.String({ description: 'Why it failed or is delayed.' })),
    created_at: Time,
  },
  { $id: 'Resigning' },
);

export const devices_resignRelease = endpoint({
  ...common,
  id: 'devices_resignRelease',
  method: 'POST',
  path: ofRelease,
  summary: 'Re-sign a release for all devices of its testers',
  description:
    "Mooring only. Runs on a runner with Apple's tools, by its command resign-apple. The new package replaces the old one if it is the same version of the same app and its profile includes all devices.",
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({})),
  response: json(Resigning, { status: 201, description: 'The job, queued or waiting; error_message has the reason.' }),
  errors: [404, 409],
});

export const devices_listResignings = endpoint({
  ...common,
  id: 'devices_listResignings',
  method: 'GET',
  path: ofRelease,
  summary: 'List the re-signing jobs of a release, with their results',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ReleasePath),
  response: json(Type.Array(Resigning), { description: 'The jobs, newest first, at most 50. Mooring only.' }),
  errors: [404],
});

export const devices_getReleaseUpdateDevicesStatus = endpoint({
  ...common,
  id: 'devices_getReleaseUpdateDevicesStatus',
  method: 'GET',
  path: ofResigning,
  summary: 'Get the progress of re-signing a release for more devices',
  description: "Re-signing runs on a runner that has a command for Apple's tools.",
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ResigningPath),
  query: Type.Object({ include_provisioning_profile: Type.Optional(Type.Boolean()) }),
  response: json(
    Type.Object({
      status: Type.String({ description: 'submitted, processing, completed or failed.' }),
      error_code: Type.Optional(
        Type.String({ description: '`NoRunner` if no runner can do it, `Failed` if it failed.' }),
      ),
      error_message: Type.Optional(Type.String()),
    }),
    { description: 'The progress.' },
  ),
  errors: [404],
});

export const devices_getResigningLog = endpoint({
  ...common,
  id: 'devices_getResigningLog',
  method: 'GET',
  path: `${ofResigning}/logs`,
  summary: 'Get the log of the command that re-signed a release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(ResigningPath),
  response: text({ type: 'text/plain', description: 'The log. Mooring only.' }),
  errors: [404],
});

export const devices_userDevicesList = endpoint({
  ...common,
  id: 'devices_userDevicesList',
  method: 'GET',
  path: '/v0.1/user/devices',
  summary: 'List the Apple devices that the caller registered',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(Device), { description: 'The devices, newest first.' }),
});

const DevicePath = { device_udid: Type.String({ minLength: 1, maxLength: 100 }) };

export const devices_deviceDetails = endpoint({
  ...common,
  id: 'devices_deviceDetails',
  method: 'GET',
  path: '/v0.1/user/devices/{device_udid}',
  summary: 'Get a device that the caller registered',
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
  summary: 'Delete a device of the caller',
  access: 'user',
  effect: 'change',
  params: Type.Object(DevicePath),
  response: empty({ status: 200, description: 'The device is deleted.' }),
  errors: [404],
});

export const devices_registerUserForDevice = endpoint({
  ...common,
  id: 'devices_registerUserForDevice',
  method: 'POST',
  path: '/v0.1/users/{user_id}/devices/register',
  summary: 'Register an Apple device of the caller manually',
  description: 'The caller owns the device. Registering it again updates it.',
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
  summary: 'Download a profile that registers an iPhone or iPad for the caller',
  description: 'Open it on the device. It works for an hour and changes no settings of the device.',
  access: 'user',
  effect: 'read',
  response: text({ type: 'application/x-apple-aspen-config', description: 'A configuration profile.' }),
});

export const devices_enrol = endpoint({
  ...common,
  id: 'devices_enrol',
  method: 'POST',
  path: '/v0.1/public/devices/enrol',
  summary: 'Receive the device data that iOS sends after its owner installed the profile',
  access: 'public',
  alsoNeeds: 'the token in the profile',
  effect: 'change',
  query: Type.Object({ token: Type.String({ maxLength: 300 }) }),
  request: bytes({
    types: ['application/pkcs7-signature', 'application/x-apple-aspen-mdm', 'application/xml', 'text/xml'],
    maxBytes: 65_536,
    maxInflated: 65_536,
  }),
  response: redirect({ status: 301, description: 'Redirects to the page of the device.' }),
  errors: [403, 409],
});
