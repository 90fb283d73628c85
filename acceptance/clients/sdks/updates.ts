import { createHash } from 'node:crypto';

/** An update as the Distribute SDKs accept it. */
export interface Update {
  id: number;
  version: string;
  shortVersion: string;
  size: number;
  isMandatory: boolean;
  downloadUrl: string;
  installUrl: string | undefined;
  groupId: string | undefined;
}

/** The installed build of a device. */
export interface Installed {
  hash: string;
  version: string;
  shortVersion: string;
}

export type Answer = { kind: 'update'; update: Update } | { kind: 'none'; keepsToken: boolean } | { kind: 'try later' };

type Details = Record<string, unknown>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Computed by each SDK for its app. */
export const androidBuild = (name: string, shortVersion: string, version: string): Installed => ({
  hash: sha256(`${name}:${shortVersion}:${version}`),
  version,
  shortVersion,
});
export const appleBuild = (uuid: string, shortVersion: string, version: string): Installed => ({
  hash: sha256(`${uuid}:${shortVersion}:${version}`),
  version,
  shortVersion,
});

class Unreadable extends Error {}

/** The parsers of both SDKs throw on missing fields, and then offer no update. */
function need<T>(details: Details, name: string, is: (value: unknown) => value is T): T {
  const value = details[name];
  if (!is(value)) throw new Unreadable(`${name} is ${JSON.stringify(value)}`);
  return value;
}
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isInteger(value);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isDigits = (value: unknown): value is string => isText(value) && /^\d+$/.test(value);
const isExtension = (value: unknown): value is string => value === 'apk' || value === 'aab';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isUrl = (value: unknown): value is string => isText(value) && /^https?:\/\//.test(value);

const common = (details: Details) => ({
  id: need(details, 'id', isNumber),
  shortVersion: need(details, 'short_version', isText),
  size: need(details, 'size', isNumber),
  isMandatory: need(details, 'mandatory_update', isFlag),
  downloadUrl: need(details, 'download_url', isUrl),
  groupId: isText(details.distribution_group_id) ? details.distribution_group_id : undefined,
});

function readAndroid(details: Details, installed: Installed): Update | undefined {
  const version = need(details, 'version', isDigits);
  need(details, 'android_min_api_level', isDigits);
  need(details, 'fileExtension', isExtension);
  const hashes = need(details, 'package_hashes', isTexts);
  const isNewer =
    Number(version) > Number(installed.version) ||
    (version === installed.version && hashes[0] !== undefined && hashes[0] !== installed.hash);
  return isNewer ? { ...common(details), version, installUrl: undefined } : undefined;
}

const numbers = (version: string): number[] => version.split('.').map(Number);

function compare(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function readApple(details: Details, installed: Installed): Update | undefined {
  if (details.status !== 'available') return undefined;
  const version = need(details, 'version', isText);
  const hashes = need(details, 'package_hashes', isTexts);
  const update = { ...common(details), version, installUrl: need(details, 'install_url', isText) };
  const order = compare(update.shortVersion, installed.shortVersion) || compare(version, installed.version);
  const isNewer = order > 0 || (order === 0 && !hashes.includes(installed.hash));
  return isNewer ? update : undefined;
}

/** The state that an SDK stores between two starts of its app. */
export interface Remembered {
  token?: string | undefined;
  groupId?: string | undefined;
  /** Releases installed since the last update check. */
  downloadedReleaseId?: number | undefined;
  installId: string;
}

/** Sends the update check of the SDK for a system, and parses the response as strictly. */
export async function requestUpdate(
  api: string,
  secret: string,
  system: 'Android' | 'Apple',
  installed: Installed,
  remembered: Remembered,
): Promise<Answer> {
  const { token, groupId, downloadedReleaseId, installId } = remembered;
  const track = token === undefined ? `public/sdk/apps/${secret}/releases` : `sdk/apps/${secret}/releases/private`;
  const query = [
    ...(system === 'Android' ? ['is_install_page=true'] : []),
    `release_hash=${installed.hash}`,
    ...(downloadedReleaseId === undefined
      ? []
      : [
          `distribution_group_id=${groupId}`,
          `downloaded_release_id=${downloadedReleaseId}`,
          ...(token === undefined ? [`install_id=${installId}`] : []),
        ]),
  ];
  const answer = await fetch(`${api}/v0.1/${track}/latest?${query.join('&')}`, {
    ...(token === undefined ? {} : { headers: { 'x-api-token': token } }),
  });
  const details = (await answer.json()) as Details;
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429) return { kind: 'try later' };
  if (!answer.ok) {
    const isNoRelease = details.code === 'no_releases_for_user';
    return { kind: 'none', keepsToken: isNoRelease || (system === 'Android' && details.code === 'not_found') };
  }
  const update = system === 'Android' ? readAndroid(details, installed) : readApple(details, installed);
  return update ? { kind: 'update', update } : { kind: 'none', keepsToken: true };
}

/** The redirect that the app gets from the browser. The SDK checks that it has the ID of the request. */
export function readReturn(url: string, system: 'Android' | 'Apple', requestId: string): Record<string, string> {
  const values =
    system === 'Apple'
      ? Object.fromEntries(new URL(url).searchParams)
      : Object.fromEntries(
          [...url.matchAll(/S\.(\w+)=([^;]*);/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
        );
  if (values.request_id !== requestId) throw new Unreadable('The redirect has the ID of another request.');
  return values;
}
