import { readFile } from 'node:fs/promises';
import type { AppCtx, Ctx, Deps, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { certificateFiles } from '../../../kernel/certificate-files.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { isSignedUntil, signUntil } from '../../../kernel/sealed.ts';
import { signMessage } from '../../../kernel/signed-message.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { record } from '../../audit/index.ts';
import { getGroup } from '../../groups/index.ts';
import { readPlist } from '../packages/plist.ts';
import type { DevicesTable } from '../releases.tables.ts';
import { findRelease, type GivenRelease, isProvisioned, listGroupReleases, noSuchRelease } from '../releases.ts';
import { element, XML_HEAD } from '../updates/xml-writing.ts';
import { deleteDevice, findDevice, listDevicesOfGroup, listDevicesOfUser, saveDevice } from './devices.store.ts';

/** What a device tells of itself. */
export interface ToldDevice {
  udid: string;
  model: string;
  osBuild: string;
  osVersion: string;
  serial: string | undefined;
  imei: string | undefined;
}

export interface Device extends ToldDevice {
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

const MOST_DEVICES = 100;

const subjectOf = (udid: string) => ({ kind: 'device', id: udid }) as const;

/** Apple writes them in upper case. */
const canonical = (udid: string): string => udid.toUpperCase();

const keepDevice = (ctx: Ctx, userId: string, told: ToldDevice): Promise<Device> =>
  tx(ctx, async (ctx) => {
    const udid = canonical(told.udid);
    await lock(ctx, 'limits', `devices ${userId}`);
    const known = await listDevicesOfUser.all(ctx.db, { userId });
    if (known.length >= MOST_DEVICES && !known.some((one) => one.udid === udid)) {
      throw conflict(`You have ${MOST_DEVICES} devices; remove one first.`);
    }
    await saveDevice.run(ctx.db, {
      user_id: userId,
      udid,
      model: told.model,
      os_build: told.osBuild,
      os_version: told.osVersion,
      serial: told.serial ?? null,
      imei: told.imei ?? null,
      registered_at: ctx.clock.now(),
    });
    await record(ctx, 'device.register', subjectOf(udid), { after: { model: told.model } });
    return getDeviceOf(ctx, userId, udid);
  });

async function getDeviceOf({ db }: Pick<Ctx, 'db'>, userId: string, udid: string): Promise<Device> {
  const row = await findDevice.first(db, { userId, udid: canonical(udid) });
  if (!row) throw notFound('device', udid);
  return toDevice(row);
}

export const registerDevice = (ctx: UserCtx, userId: string, told: ToldDevice): Promise<Device> => {
  if (userId.toLowerCase() !== ctx.actor.user.id) throw notFound('user', userId);
  return keepDevice(ctx, ctx.actor.user.id, told);
};

export const listOwnDevices = async ({ db, actor }: UserCtx): Promise<Device[]> =>
  (await listDevicesOfUser.all(db, { userId: actor.user.id })).map(toDevice);

export const getOwnDevice = (ctx: UserCtx, udid: string): Promise<Device> => getDeviceOf(ctx, ctx.actor.user.id, udid);

export const deleteOwnDevice = (ctx: UserCtx, udid: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const device = await getOwnDevice(ctx, udid);
    await deleteDevice.run(ctx.db, { userId: ctx.actor.user.id, udid: device.udid });
    await record(ctx, 'device.remove', subjectOf(device.udid), { before: { model: device.model } });
  });

export interface ProvisionedDevice extends Device {
  status: 'registered' | 'provisioned' | 'unprovisioned';
}

async function releaseFor(
  ctx: AppCtx,
  groupId: string,
  releaseId: number | undefined,
): Promise<GivenRelease | undefined> {
  if (releaseId === undefined) return (await listGroupReleases(ctx, groupId)).find(({ isEnabled }) => isEnabled);
  const release = await findRelease(ctx, releaseId);
  if (!release) throw noSuchRelease(releaseId);
  return release;
}

/** Devices of the members of a group, each with whether a release can be installed on it. */
export async function listGroupDevices(ctx: AppCtx, name: string, releaseId?: number): Promise<ProvisionedDevice[]> {
  const group = await getGroup(ctx, name);
  const profile = (await releaseFor(ctx, group.id, releaseId))?.metadata.profile;
  return (await listDevicesOfGroup.all(ctx.db, { groupId: group.id })).map(toDevice).map((device) => ({
    ...device,
    status: !profile ? 'registered' : isProvisioned(profile, device.udid) ? 'provisioned' : 'unprovisioned',
  }));
}

export const fullNameOf = ({ ownerName, model }: Device): string => `${ownerName}'s ${model}`;

/** A cell of a table that is opened in a spreadsheet: it begins no formula, and stays one cell. */
const cell = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').replace(/^[=+\-@\s]+/, '');

/** As the developer site of Apple takes many devices at once. */
export const devicesToText = (devices: readonly Device[]): string =>
  [
    ['Device ID', 'Device Name', 'Device Platform'],
    ...devices.map((device) => [device.udid, cell(fullNameOf(device)), /^mac/i.test(device.model) ? 'mac' : 'ios']),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');

const purpose = 'device-enrolment';

const enrolmentToken = ({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, userId: string): string =>
  `${userId}.${signUntil(secretKey, { purpose, text: userId, expiresAt: clock.now() + HOUR })}`;

function readEnrolmentToken({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, enrolment: string): string {
  const [userId = '', ...token] = enrolment.split('.');
  if (!isSignedUntil(secretKey, { purpose, text: userId, token: token.join('.') }, clock.now())) {
    throw forbidden('This profile has expired, or is none of this server; open the page again and install a new one.');
  }
  return userId;
}

const key = (name: string, value: string): string => element('key', {}, name) + value;
const string = (name: string, value: string): string => key(name, element('string', {}, value));

/** By the certificate that whoever opens the page has seen already; as it is, if this server shows none of its own. */
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

/** What makes a device tell its UDID, once its owner has allowed it. */
export function enrolmentProfile(ctx: UserCtx): Promise<Buffer> {
  const address = `${ctx.publicUrl()}/v0.1/public/devices/enrol?token=${enrolmentToken(ctx, ctx.actor.user.id)}`;
  const attributes = ['UDID', 'PRODUCT', 'VERSION', 'SERIAL', 'IMEI'].map((one) => element('string', {}, one));
  const content = [string('URL', address), key('DeviceAttributes', element('array', {}, attributes))];
  const dict = element('dict', {}, [
    key('PayloadContent', element('dict', {}, content)),
    string('PayloadDisplayName', 'Register this device'),
    string('PayloadDescription', `Tells ${ctx.publicUrl()} which device this is, and changes nothing on it.`),
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

/** The list within the signed message that a device sends. Who it is for is said by the token, not by its signature. */
function readTold(message: Buffer): ToldDevice {
  const [from, to] = [message.indexOf(BEGIN), message.lastIndexOf(END)];
  const unclear = () => badRequest('The device did not tell its UDID; install the profile again.');
  if (from < 0 || to < from) throw unclear();
  try {
    const told = readPlist(message.subarray(from, to + END.length)) as Record<string, unknown>;
    const text = (name: string): string | undefined => {
      const value = told[name];
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

/** Registers a device for whoever got the profile; says where its browser goes on. */
export async function enrolDevice(ctx: Ctx, token: string, message: Uint8Array): Promise<string> {
  const userId = readEnrolmentToken(ctx, token);
  const { udid } = await keepDevice(ctx, userId, readTold(Buffer.from(message)));
  return `${answerUrl(ctx)}/install/register-device?udid=${encodeURIComponent(udid)}`;
}
