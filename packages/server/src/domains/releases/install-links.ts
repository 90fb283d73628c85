import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../../kernel/sealed.ts';
import { downloadLink } from '../../uploads/index.ts';
import type { Release } from './releases.ts';

const purpose = 'ios-manifest';
const textOf = (appId: string, releaseId: number): string => `${appId} ${releaseId}`;

export const manifestToken = (ctx: Deps, appId: string, releaseId: number, expiresAt: number): string =>
  signUntil(ctx.secretKey, { purpose, text: textOf(appId, releaseId), expiresAt });

export const isManifestToken = (ctx: Deps, appId: string, releaseId: number, token: string): boolean =>
  isSignedUntil(ctx.secretKey, { purpose, text: textOf(appId, releaseId), token }, ctx.clock.now());

export interface InstallLinks {
  downloadUrl: string;
  /** What a device opens: iOS installs only what a list names. */
  installUrl: string;
}

export function installLinks(ctx: Deps, appId: string, { id, key, fileName, kind }: Release): InstallLinks {
  const expiresAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE;
  const downloadUrl = downloadLink(ctx, { key, name: fileName }, { expiresAt });
  if (kind !== 'ipa') return { downloadUrl, installUrl: downloadUrl };
  const token = manifestToken(ctx, appId, id, expiresAt);
  const manifest = `${ctx.publicUrl()}/v0.1/public/apps/${appId}/releases/${id}/ios_manifest?token=${token}`;
  const installUrl = `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`;
  return { downloadUrl, installUrl };
}
