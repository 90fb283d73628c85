import { readFile } from 'node:fs/promises';
import type { AppCtx, Ctx, Deps, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { certificateFiles } from '../../../kernel/crypto/certificate-files.ts';
import { isSignedUntil, signUntil } from '../../../kernel/crypto/sealed.ts';
import { signMessage } from '../../../kernel/crypto/signed-message.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { record } from '../../audit/index.ts';
import { getGroup } from '../../groups/index.ts';
import { readPlist } from '../packages/apple/plist.ts';
import type { DevicesTable } from '../releases.tables.ts';
import { findNewestGroupRelease, findRelease, isProvisioned, noSuchRelease, type Release } from '../releases.ts';
import { element, XML_HEAD } from '../updates/xml-writing.ts';
import { deleteDevice, findDevice, listGroupDeviceRows, listUserDeviceRows, saveDevice } from './devices.store.ts';

/** Properties that a device sends. */
export interface ReportedDevice {
  udid: string;
  model: string;
  osBuild: string;
  osVersion: string;
  serial: string | undefined;
  imei: string | undefined;
}

export interface Device extends ReportedDevice {
  ownerId: string;
  ownerName: string;
  registeredAt: number;
}

const toDevice = (row: DevicesTable & { owner_name: string }): Device => ({
  udid: row.udid,
  model: row.model,
  osBuild: row.os_build,
  osVersion: row.os_version,
  serial: row.serial ?? undefined,
  imei: row.imei ?? undefined,
  ownerId: row.user_id,
  ownerName: row.owner_name,
  registeredAt: row.registered_at,
});

const MAX_DEVICES = 100;

const deviceSubject = (udid: string) => ({ kind: 'device', id: udid }) as const;

/** Apple uses upper case. */
const canonical = (udid: string): string => udid.toUpperCase();

const persistDevice = (ctx: Ctx, userId: string, reported: ReportedDevice): Promise<Device> =>
  tx(ctx, async (ctx) => {
    const udid = canonical(reported.udid);
    await lock(ctx, 'limits', `devices ${userId}`);
    const known = await listUserDeviceRows.all(ctx.db, { userId });
    if (known.length >= MAX_DEVICES && !known.some((one) => one.udid === udid)) {
      throw conflict(`You already have ${MAX_DEVICES} devices, the maximum. Remove one first.`);
    }
    await saveDevice.run(ctx.db, {
      user_id: userId,
      udid,
      model: reported.model,
      os_build: reported.osBuild,
      os_version: reported.osVersion,
      serial: reported.serial ?? null,
      imei: reported.imei ?? null,
      registered_at: ctx.clock.now(),
    });
    await record(ctx, 'device.register', deviceSubject(udid), { after: { model: reported.model } });
    return getUserDevice(ctx, userId, udid);
  });

async function getUserDevice({ db }: Pick<Ctx, 'db'>, userId: string, udid: string): Promise<Device> {
  const row = await findDevice.first(db, { userId, udid: canonical(udid) });
  if (!row) throw notFound('device', udid);
  return toDevice(row);
}

export const registerDevice = (ctx: UserCtx, userId: string, reported: ReportedDevice): Promise<Device> => {
  if (userId.toLowerCase() !== ctx.actor.user.id) throw notFound('user', userId);
  return persistDevice(ctx, ctx.actor.user.id, reported);
};

export const listOwnDevices = async ({ db, actor }: UserCtx): Promise<Device[]> =>
  (await listUserDeviceRows.all(db, { userId: actor.user.id })).map(toDevice);

export const getOwnDevice = (ctx: UserCtx, udid: string): Promise<Device> =>
  getUserDevice(ctx, ctx.actor.user.id, udid);

export const deleteOwnDevice = (ctx: UserCtx, udid: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const device = await getOwnDevice(ctx, udid);
    await deleteDevice.run(ctx.db, { userId: ctx.actor.user.id, udid: device.udid });
    await record(ctx, 'device.remove', deviceSubject(device.udid), { before: { model: device.model } });
  });

export interface ProvisionedDevice extends Device {
  status: 'registered' | 'provisioned' | 'unprovisioned';
}

async function releaseFor(ctx: AppCtx, groupId: string, releaseId: number | undefined): Promise<Release | undefined> {
  if (releaseId === undefined) return findNewestGroupRelease(ctx, groupId);
  const release = await findRelease(ctx, releaseId);
  if (!release) throw noSuchRelease(releaseId);
  return release;
}

/** Lists the devices of a group's members, each with whether a release can be installed on it. */
export async function listGroupDevices(ctx: AppCtx, name: string, releaseId?: number): Promise<ProvisionedDevice[]> {
  const group = await getGroup(ctx, name);
  const profile = (await releaseFor(ctx, group.id, releaseId))?.metadata.profile;
  return (await listGroupDeviceRows.all(ctx.db, { groupId: group.id })).map(toDevice).map((device) => ({
    ...device,
    status: !profile ? 'registered' : isProvisioned(profile, device.udid) ? 'provisioned' : 'unprovisioned',
  }));
}

export const formatFullName = ({ ownerName, model }: Device): string => `${ownerName}'s ${model}`;

/** A cell for a spreadsheet: cannot start a formula or span several cells. */
const cell = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').replace(/^[=+\-@\s]+/, '');

/** Formats devices for the import of Apple's developer site. */
export const devicesToText = (devices: readonly Device[]): string =>
  [
    ['Device ID', 'Device Name', 'Device Platform'],
    ...devices.map((device) => [device.udid, cell(formatFullName(device)), /^mac/i.test(device.model) ? 'mac' : 'ios']),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');

const purpose = 'device-enrolment';

const enrolmentToken = ({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string): string =>
  `${userId}.${signUntil(secretKey, { purpose, text: userId, expiresAt: clock.now() + HOUR })}`;

function readEnrolmentToken({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, enrolment: string): string {
  const [userId = '', ...token] = enrolment.split('.');
  if (!isSignedUntil(secretKey, { purpose, text: userId, token: token.join('.') }, clock.now())) {
    throw forbidden('This profile has expired or is from another server. Reopen the page to get a new one.');
  }
  return userId;
}

const key = (name: string, value: string): string => element('key', {}, name) + value;
const string = (name: string, value: string): string => key(name, element('string', {}, value));

/**
 * Signs with the TLS certificate of this server, which the visitor has already trusted; leaves the text unsigned without one.
 */
async function signProfile({ config, clock }: Pick<Deps, 'config' | 'clock'>, text: string): Promise<Buffer> {
  const { certFile, keyFile } = certificateFiles(config);
  const profile = Buffer.from(text);
  try {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    return signMessage(profile, { cert, key }, clock.now()) ?? profile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return profile;
    throw error;
  }
}

/** Creates the profile that makes a device send its UDID, after its owner has agreed. */
export function enrolmentProfile(ctx: UserCtx): Promise<Buffer> {
  const address = `${ctx.publicUrl()}/v0.1/public/devices/enrol?token=${enrolmentToken(ctx, ctx.actor.user.id)}`;
  const attributes = ['UDID', 'PRODUCT', 'VERSION', 'SERIAL', 'IMEI'].map((one) => element('string', {}, one));
  const content = [string('URL', address), key('DeviceAttributes', element('array', {}, attributes))];
  const dict = element('dict', {}, [
    key('PayloadContent', element('dict', {}, content)),
    string('PayloadDisplayName', 'Register this device'),
    string(
      'PayloadDescription',
      `Sends the identifiers and the model of this device to ${ctx.publicUrl()} and changes nothing on the device.`,
    ),
    string('PayloadIdentifier', 'mooring.device-enrolment'),
    string('PayloadOrganization', 'Mooring'),
    string('PayloadType', 'Profile Service'),
    string('PayloadUUID', ctx.newId().toUpperCase()),
    key('PayloadVersion', element('integer', {}, '1')),
  ]);
  const doctype =
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';
  return signProfile(ctx, `${XML_HEAD}${doctype}${element('plist', { version: '1.0' }, [dict])}\n`);
}

const [BEGIN, END] = [Buffer.from('<?xml'), Buffer.from('</plist>')];

/**
 * Parses the property list within the signed message of a device. The token, not the signature, identifies the user.
 */
function parseReportedDevice(message: Buffer): ReportedDevice {
  const [from, to] = [message.indexOf(BEGIN), message.lastIndexOf(END)];
  const unclear = () => badRequest('The device did not send its UDID. Install the profile again.');
  if (from < 0 || to < from) throw unclear();
  try {
    const reported = readPlist(message.subarray(from, to + END.length)) as Record<string, unknown>;
    const text = (name: string): string | undefined => {
      const value = reported[name];
      return typeof value === 'string' ? value.slice(0, 100).replace(/\p{Cc}/gu, ' ') : undefined;
    };
    const udid = text('UDID') ?? '';
    if (!/^[0-9a-f]{8,40}(-[0-9a-f]{16})?$/i.test(udid)) throw unclear();
    const [model, osBuild] = [text('PRODUCT') || 'iPhone', text('VERSION') ?? ''];
    return { udid, model, osBuild, osVersion: '', serial: text('SERIAL'), imei: text('IMEI') };
  } catch (error) {
    throw error instanceof Unreadable ? unclear() : error;
  }
}

/** Registers a device for the user who downloaded the profile; returns the next URL of the browser. */
export async function enrolDevice(ctx: Ctx, token: string, message: Uint8Array): Promise<string> {
  const userId = readEnrolmentToken(ctx, token);
  const { udid } = await persistDevice(ctx, userId, parseReportedDevice(Buffer.from(message)));
  return `${getResponseUrl(ctx)}/install/register-device?udid=${encodeURIComponent(udid)}`;
}
