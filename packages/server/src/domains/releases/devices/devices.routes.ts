import { hash } from 'node:crypto';
import {
  devices_deviceDetails,
  devices_enrol,
  devices_getEnrolmentProfile,
  devices_getReleaseUpdateDevicesStatus,
  devices_getResigningLog,
  devices_list,
  devices_listCsvFormat,
  devices_listResignings,
  devices_registerUserForDevice,
  devices_removeUserDevice,
  devices_resignRelease,
  devices_userDevicesList,
} from '@mooring/contract';
import { workOwner } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { inflate } from '../../../kernel/files/inflate.ts';
import {
  type Device,
  deleteOwnDevice,
  devicesToText,
  enrolDevice,
  enrolmentProfile,
  formatFullName,
  getOwnDevice,
  listGroupDevices,
  listOwnDevices,
  registerDevice,
} from './devices.ts';
import { getResigning, listReleaseResignings, type Resigning, readResigningLog, resignRelease } from './resigning.ts';

const toWire = (device: Device, status = 'registered') => ({
  udid: device.udid,
  model: device.model,
  device_name: device.model,
  full_device_name: formatFullName(device),
  os_build: device.osBuild,
  os_version: device.osVersion,
  serial: device.serial,
  imei: device.imei,
  owner_id: device.ownerId,
  status,
  registered_at: toIso(device.registeredAt),
});

const resigningToWire = ({ id, status, deviceCount, error, createdAt }: Resigning) => ({
  resign_id: id,
  status,
  device_count: deviceCount,
  error_message: error,
  created_at: toIso(createdAt),
});

const toTextResponse = (text: string | Buffer) => ({ text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` });

export const deviceRoutes = [
  route(devices_list, async (ctx, { params, query }) =>
    (await listGroupDevices(ctx, params.distribution_group_name, query.release_id)).map(
      ({ serial: _serial, imei: _imei, ...device }) =>
        toWire({ ...device, serial: undefined, imei: undefined }, device.status),
    ),
  ),
  route(devices_listCsvFormat, async (ctx, { params, query }) => {
    const requestedUdids = query.udids ? new Set(query.udids.toUpperCase().split(',')) : undefined;
    const devices = await listGroupDevices(ctx, params.distribution_group_name);
    return toTextResponse(
      devicesToText(
        devices.filter(
          ({ udid, status }) =>
            (!query.unprovisioned_only || status !== 'provisioned') &&
            (requestedUdids === undefined || requestedUdids.has(udid)),
        ),
      ),
    );
  }),
  route(devices_resignRelease, async (ctx, { params }) =>
    resigningToWire(await resignRelease(ctx, Number(params.release_id))),
  ),
  route(devices_listResignings, async (ctx, { params }) =>
    (await listReleaseResignings(ctx, Number(params.release_id))).map(resigningToWire),
  ),
  route(devices_getReleaseUpdateDevicesStatus, async (ctx, { params }) => {
    const { status, error } = await getResigning(ctx, Number(params.release_id), params.resign_id);
    return {
      status,
      error_code: error === undefined ? undefined : status === 'failed' ? 'Failed' : 'NoRunner',
      error_message: error,
    };
  }),
  route(devices_getResigningLog, async (ctx, { params }) =>
    toTextResponse(await readResigningLog(ctx, Number(params.release_id), params.resign_id)),
  ),
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
  route(devices_getEnrolmentProfile, async (ctx) => toTextResponse(await enrolmentProfile(ctx))),
  route(devices_enrol, async (ctx, { query, sent }) =>
    enrolDevice(ctx, query.token, await inflate(sent, workOwner(ctx))),
  ),
];
