import type { Deps } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { signText, verifyText } from '../../kernel/sealed.ts';
import { downloadLink } from '../../uploads/index.ts';
import type { Release } from './releases.ts';

const PURPOSE = 'ios-manifest';
const textOf = (appId: string, releaseId: number, end: string): string => `${appId} ${releaseId} ${end}`;

export function manifestToken(ctx: Deps, appId: string, releaseId: number, expiresAt: number): string {
  const end = expiresAt.toString(36);
  return `${end}.${signText(ctx.secretKey, PURPOSE, textOf(appId, releaseId, end))}`;
}

export function isManifestToken(ctx: Deps, appId: string, releaseId: number, token: string): boolean {
  const [end = '', signature = ''] = token.split('.');
  const isOurs = verifyText(ctx.secretKey, PURPOSE, textOf(appId, releaseId, end), signature);
  return isOurs && Number.parseInt(end, 36) > ctx.clock.now();
}

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
