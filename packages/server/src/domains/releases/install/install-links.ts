import type { Ctx, Deps } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { isSignedUntil, signText, signUntil, verifyText } from '../../../kernel/crypto/sealed.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { downloadLink } from '../../../uploads/index.ts';
import type { Release } from '../releases.ts';

const purpose = 'ios-manifest';
const toSignedText = (appId: string, releaseId: number, installer = ''): string =>
  `${appId} ${releaseId}${installer && ` ${installer}`}`;

/** With the ID of a user, the manifest counts as an install by them. */
function manifestToken(
  ctx: Deps,
  appId: string,
  releaseId: number,
  { expiresAt, installer = '' }: { expiresAt: number; installer?: string | undefined },
): string {
  const token = signUntil(ctx.secretKey, { purpose, text: toSignedText(appId, releaseId, installer), expiresAt });
  return `${token}${installer && `.${installer}`}`;
}

/** Returns undefined for a token that is invalid or has expired. */
export function readManifestToken(
  ctx: Deps,
  appId: string,
  releaseId: number,
  token: string,
): { installer: string | undefined } | undefined {
  const [end = '', signature = '', installer] = token.split('.');
  const signed = { purpose, text: toSignedText(appId, releaseId, installer), token: `${end}.${signature}` };
  return isSignedUntil(ctx.secretKey, signed, ctx.clock.now()) ? { installer } : undefined;
}

export interface InstallLinks {
  downloadUrl: string;
  /** URL that a device opens: iOS only installs from a manifest. */
  installUrl: string;
}

const compact = (uuid: string): string => uuid.replaceAll('-', '');
const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The content of a link that downloads a release for a user. */
export interface UserDownload {
  appId: string;
  releaseId: number;
  userId: string;
}

const USER_DOWNLOAD = 'user-download';

function userDownloadPath(ctx: Deps, { appId, releaseId, userId }: UserDownload, expiresAt: number): string {
  const text = `${releaseId}.${compact(appId)}.${compact(userId)}`;
  return `/install/downloads/${text}.${signUntil(ctx.secretKey, { purpose: USER_DOWNLOAD, text, expiresAt })}`;
}

/** Returns undefined for a link that was modified or has expired. */
export function readUserDownload(ctx: Deps, link: string): UserDownload | undefined {
  const [, text = '', releaseId, appId = '', userId = '', token = ''] =
    /^(([1-9]\d{0,8})\.([0-9a-f]{32})\.([0-9a-f]{32}))\.([0-9a-z]{1,12}\.[\w-]{1,100})$/.exec(link) ?? [];
  if (!isSignedUntil(ctx.secretKey, { purpose: USER_DOWNLOAD, text, token }, ctx.clock.now())) return undefined;
  return { appId: toUuid(appId), releaseId: Number(releaseId), userId: toUuid(userId) };
}

export function installLinks(
  ctx: Deps & Partial<Pick<Ctx, 'origin'>>,
  appId: string,
  { id, key, fileName, kind, isEnabled }: Release,
  {
    endsAt = Number.POSITIVE_INFINITY,
    userId,
  }: {
    endsAt?: number;
    /** The user who will have the release. */
    userId?: string | undefined;
  } = {},
): InstallLinks {
  const expiresAt = Math.min(endsAt, ctx.clock.now() + ctx.config.downloadMinutes * MINUTE);
  const downloadUrl = downloadLink(ctx, { key, name: fileName }, { expiresAt, isUnblocked: !isEnabled });
  if (kind !== 'ipa') {
    if (userId === undefined) return { downloadUrl, installUrl: downloadUrl };
    const path = userDownloadPath(ctx, { appId, releaseId: id, userId }, expiresAt);
    return { downloadUrl, installUrl: getResponseUrl(ctx) + path };
  }
  const token = manifestToken(ctx, appId, id, { expiresAt, installer: userId });
  const manifest = `${ctx.publicUrl()}/v0.1/public/apps/${appId}/releases/${id}/ios_manifest?token=${token}`;
  const installUrl = `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`;
  return { downloadUrl, installUrl };
}

const LINK = 'install-link';

/** The content of a link to the page of a release. */
export interface InstallLink {
  appId: string;
  releaseId: number;
  endsAt: number;
}

/** Creates the URL of an install page that works for anyone until the link expires. */
export function installPageUrl(ctx: Deps, { appId, releaseId, endsAt }: InstallLink): string {
  const signed = `${Math.floor(endsAt).toString(36)}.${releaseId}.${compact(appId)}`;
  return `${ctx.publicUrl()}/install/links/${signed}.${signText(ctx.secretKey, LINK, signed)}`;
}

const form =
  /^([0-9a-z]{1,12})\.([1-9][0-9]{0,8})\.([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([\w-]{1,100})$/;

/** Returns undefined for a modified link. An expired link still names its release. */
export function readInstallLink(ctx: Deps, link: string): (InstallLink & { isEnded: boolean }) | undefined {
  const [, end = '', releaseId, ...rest] = form.exec(link) ?? [];
  const signature = rest.pop() ?? '';
  const signed = `${end}.${releaseId}.${rest.join('')}`;
  const endsAt = Number.parseInt(end, 36);
  if (!verifyText(ctx.secretKey, LINK, signed, signature)) return undefined;
  return { appId: rest.join('-'), releaseId: Number(releaseId), endsAt, isEnded: !(endsAt > ctx.clock.now()) };
}
