import type { Ctx } from '../../../context.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { findRelease, noSuchRelease } from '../releases.ts';
import { element, XML_HEAD } from '../updates/xml-writing.ts';
import { installLinks, readManifestToken } from './install-links.ts';
import type { NoteInstall } from './install-notes.ts';
import { canInstall, toInstall } from './user-downloads.ts';

const pairs = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `<key>${key}</key>${element('string', {}, value)}`)
    .join('');

/**
 * Returns the manifest that iOS installs a release from. iOS sends no session, so the token in the URL is its only credential.
 */
export async function getIosManifest(
  ctx: Ctx,
  { appId, releaseId, token }: { appId: string; releaseId: number; token: string },
  noteInstall: NoteInstall,
): Promise<string> {
  const read = readManifestToken(ctx, appId, releaseId, token);
  if (!read) {
    throw forbidden('The token is invalid for this release or has expired. Reopen the install page.');
  }
  const app = await getApp({ ...ctx, app: await getAppRef(ctx, appId), permission: 'tester' });
  const release = await findRelease(
    { ...ctx, app: { ...app, ownerId: app.owner.id, ownerName: app.owner.name } },
    releaseId,
  );
  if (release?.kind !== 'ipa' || !release.isEnabled) throw noSuchRelease(releaseId);
  if (read.installer) {
    const download = { appId, releaseId, userId: read.installer };
    // They may have lost access after the page was shown.
    if (!(await canInstall(ctx, download))) throw noSuchRelease(releaseId);
    noteInstall(await toInstall(ctx, download));
  }
  const { downloadUrl } = installLinks(ctx, appId, release);
  const asset = `<dict>${pairs({ kind: 'software-package', url: downloadUrl })}</dict>`;
  const metadata = pairs({
    'bundle-identifier': release.bundleIdentifier ?? '',
    'bundle-version': release.shortVersion,
    kind: 'software',
    title: app.displayName,
  });
  return `${XML_HEAD}<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>items</key><array><dict><key>assets</key><array>${asset}</array><key>metadata</key><dict>${metadata}</dict></dict></array></dict></plist>
`;
}
