import {
  test_createDeviceSelection,
  test_createDeviceSetOfOwner,
  test_createDeviceSetOfUser,
  test_createSubscription,
  test_deleteDeviceSetOfOwner,
  test_deleteDeviceSetOfUser,
  test_getDeviceConfigurations,
  test_getDeviceSetOfOwner,
  test_getDeviceSetOfUser,
  test_getSubscriptions,
  test_listDeviceSetsOfOwner,
  test_listDeviceSetsOfUser,
  test_updateDeviceSetOfOwner,
  test_updateDeviceSetOfUser,
} from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { listFitting } from '../runs/test-runs.ts';
import {
  createDeviceSet,
  type DeviceSet,
  deleteDeviceSet,
  getDeviceSet,
  listDeviceSets,
  updateDeviceSet,
} from './device-sets.ts';
import { type Configuration, createSelection, type KnownDevice, listConfigurations, systemName } from './devices.ts';

const drawing = (width: number) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect x="${50 - width / 2}" y="8" width="${width}" height="84" rx="8" fill="none" stroke="#888" stroke-width="5"/></svg>`,
  )}`;

/** Drawn here, so that nothing is loaded from other servers. */
const images: Readonly<Record<KnownDevice['formFactor'], string>> = { phone: drawing(44), tablet: drawing(64) };

const configurationToWire = (device: Configuration) => ({
  id: device.id,
  name: device.name,
  tier: 1,
  image: { full: images[device.formFactor], thumb: images[device.formFactor] },
  model: {
    name: device.model,
    manufacturer: device.manufacturer,
    model: device.model,
    platform: device.platform,
    resolution: device.resolution && {
      height: String(device.resolution.height),
      width: String(device.resolution.width),
    },
    formFactor: device.formFactor,
    availabilityCount: device.available,
  },
  os: device.os,
  osName: systemName(device),
  isOnline: device.isOnline,
  isEmulated: device.isEmulated,
  frameworks: device.frameworks,
  runners: device.runners,
});

const setToWire = ({ id, name, slug, owner, devices }: DeviceSet) => ({
  id,
  name,
  slug,
  owner,
  manufacturerCount: new Set(devices.map(({ manufacturer }) => manufacturer)).size,
  osVersionCount: new Set(devices.map(systemName)).size,
  deviceConfigurations: devices.map((device) => ({
    id: device.id,
    image: { thumb: images[device.formFactor] },
    model: { name: device.model, manufacturer: device.manufacturer, formFactor: device.formFactor },
    os: device.os,
    osName: systemName(device),
  })),
});

const getOwnerId = ({ app }: AppCtx): string => app.ownerId;
/** Always a user: the endpoint excludes apps. */
const getUserId = ({ actor }: AppCtx): string => {
  if (actor.kind !== 'user') throw forbidden("Apps can't have personal device sets. Use a user token.");
  return actor.user.id;
};

const YEARS = 36_500;

/** Device time is unlimited, so the subscription is always active. */
const buildSubscription = ({ app, clock }: AppCtx) => {
  const now = clock.now();
  return {
    id: app.id,
    startsAt: toIso(now - (now % DAY)),
    endsAt: toIso(now - (now % DAY) + YEARS * DAY),
    daysLeft: YEARS,
    tier: { name: 'Self-hosted' },
    active: true,
  };
};

export const deviceRoutes = [
  route(test_getDeviceConfigurations, async (ctx, { query }) => {
    const { app_upload_id: runId } = query;
    const found = await (runId === undefined ? listConfigurations(ctx) : listFitting(ctx, runId));
    return found.map(configurationToWire);
  }),
  route(test_createDeviceSelection, async (ctx, { body }) => ({ shortId: await createSelection(ctx, body.devices) })),
  route(test_listDeviceSetsOfOwner, async (ctx) => (await listDeviceSets(ctx, getOwnerId(ctx))).map(setToWire)),
  route(test_createDeviceSetOfOwner, async (ctx, { body }) =>
    setToWire(await createDeviceSet(ctx, getOwnerId(ctx), body)),
  ),
  route(test_getDeviceSetOfOwner, async (ctx, { params }) =>
    setToWire(await getDeviceSet(ctx, getOwnerId(ctx), params.id)),
  ),
  route(test_updateDeviceSetOfOwner, async (ctx, { params, body }) =>
    setToWire(await updateDeviceSet(ctx, getOwnerId(ctx), params.id, body)),
  ),
  route(test_deleteDeviceSetOfOwner, (ctx, { params }) => deleteDeviceSet(ctx, getOwnerId(ctx), params.id)),
  route(test_listDeviceSetsOfUser, async (ctx) => (await listDeviceSets(ctx, getUserId(ctx))).map(setToWire)),
  route(test_createDeviceSetOfUser, async (ctx, { body }) =>
    setToWire(await createDeviceSet(ctx, getUserId(ctx), body)),
  ),
  route(test_getDeviceSetOfUser, async (ctx, { params }) =>
    setToWire(await getDeviceSet(ctx, getUserId(ctx), params.id)),
  ),
  route(test_updateDeviceSetOfUser, async (ctx, { params, body }) =>
    setToWire(await updateDeviceSet(ctx, getUserId(ctx), params.id, body)),
  ),
  route(test_deleteDeviceSetOfUser, (ctx, { params }) => deleteDeviceSet(ctx, getUserId(ctx), params.id)),
  route(test_getSubscriptions, async (ctx) => buildSubscription(ctx)),
  route(test_createSubscription, async (ctx) => buildSubscription(ctx)),
];
