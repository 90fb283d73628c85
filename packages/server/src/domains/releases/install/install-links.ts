import type { Deps } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { isSignedUntil, signText, signUntil, verifyText } from '../../../kernel/crypto/sealed.ts';
import { downloadLink } from '../../../uploads/index.ts';
import type { Release } from '../releases.ts';

const purpose = 'ios-manifest';
const toSignedText = (appId: string, releaseId: number): string => `${appId} ${releaseId}`;

export const manifestToken = (ctx: Deps, appId: string, releaseId: number, expiresAt: number): string =>
  signUntil(ctx.secretKey, { purpose, text: toSignedText(appId, releaseId), expiresAt });

export const isManifestToken = (ctx: Deps, appId: string, releaseId: number, token: string): boolean =>
  isSignedUntil(ctx.secretKey, { purpose, text: toSignedText(appId, releaseId), token }, ctx.clock.now());

export interface InstallLinks {
  downloadUrl: string;
  /** URL that a device opens: iOS only installs from a manifest. */
  installUrl: string;
}

export function installLinks(
  ctx: Deps,
  appId: string,
  { id, key, fileName, kind, isEnabled }: Release,
  { endsAt = Number.POSITIVE_INFINITY } = {},
): InstallLinks {
  const expiresAt = Math.min(endsAt, ctx.clock.now() + ctx.config.downloadMinutes * MINUTE);
  const downloadUrl = downloadLink(ctx, { key, name: fileName }, { expiresAt, isUnblocked: !isEnabled });
  if (kind !== 'ipa') return { downloadUrl, installUrl: downloadUrl };
  const token = manifestToken(ctx, appId, id, expiresAt);
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
  const signed = `${Math.floor(endsAt).toString(36)}.${releaseId}.${appId.replaceAll('-', '')}`;
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
