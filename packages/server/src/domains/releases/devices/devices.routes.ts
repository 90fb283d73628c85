import { hash } from 'node:crypto';
import {
  devices_deviceDetails,
  devices_enrol,
  devices_getEnrolmentProfile,
  devices_getReleaseUpdateDevicesStatus,
  devices_list,
  devices_listCsvFormat,
  devices_registerUserForDevice,
  devices_removeUserDevice,
  devices_userDevicesList,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { inflate } from '../../../kernel/inflate.ts';
import { getRelease } from '../releases.ts';
import {
  type Device,
  deleteOwnDevice,
  devicesToText,
  enrolDevice,
  enrolmentProfile,
  fullNameOf,
  getOwnDevice,
  listGroupDevices,
  listOwnDevices,
  registerDevice,
} from './devices.ts';

const toWire = (device: Device, status = 'registered') => ({
  udid: device.udid,
  model: device.model,
  device_name: device.model,
  full_device_name: fullNameOf(device),
  os_build: device.osBuild,
  os_version: device.osVersion,
  serial: device.serial,
  imei: device.imei,
  owner_id: device.ownerId,
  status,
  registered_at: toIso(device.registeredAt),
});

const answer = (text: string) => ({ text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` });

export const deviceRoutes = [
  route(devices_list, async (ctx, { params, query }) =>
    (await listGroupDevices(ctx, params.distribution_group_name, query.release_id)).map(
      ({ serial: _serial, imei: _imei, ...device }) =>
        toWire({ ...device, serial: undefined, imei: undefined }, device.status),
    ),
  ),
  route(devices_listCsvFormat, async (ctx, { params, query }) => {
    const wanted = query.udids ? new Set(query.udids.toUpperCase().split(',')) : undefined;
    const devices = await listGroupDevices(ctx, params.distribution_group_name);
    return answer(
      devicesToText(
        devices.filter(
          ({ udid, status }) =>
            (!query.unprovisioned_only || status !== 'provisioned') && (wanted === undefined || wanted.has(udid)),
        ),
      ),
    );
  }),
  route(devices_getReleaseUpdateDevicesStatus, async (ctx, { params }) => {
    await getRelease(ctx, Number(params.release_id));
    return {
      status: 'unavailable',
      error_code: 'NotSupported',
      error_message:
        "This server does not re-sign packages, which needs Apple's tools: add the devices to the provisioning profile, build again, and upload the new package.",
    };
  }),
  route(devices_userDevicesList, async (ctx) => (await listOwnDevices(ctx)).map((device) => toWire(device))),
  route(devices_deviceDetails, async (ctx, { params }) => toWire(await getOwnDevice(ctx, params.device_udid))),
  route(devices_removeUserDevice, (ctx, { params }) => deleteOwnDevice(ctx, params.device_udid)),
  route(devices_registerUserForDevice, async (ctx, { params, body }) =>
    toWire(
      await registerDevice(ctx, params.user_id, {
        udid: body.udid,
        model: body.model,
        osBuild: body.os_build ?? '',
        osVersion: body.os_version ?? '',
        serial: body.serial,
        imei: body.imei,
      }),
    ),
  ),
  route(devices_getEnrolmentProfile, async (ctx) => answer(enrolmentProfile(ctx))),
  route(devices_enrol, async (ctx, { query, sent }) => enrolDevice(ctx, query.token, await inflate(sent))),
];
