import type { Ctx } from '../../../context.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { findRelease, noSuchRelease } from '../releases.ts';
import { element, XML_HEAD } from '../updates/xml-writing.ts';
import { installLinks, isManifestToken } from './install-links.ts';

const pairs = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `<key>${key}</key>${element('string', {}, value)}`)
    .join('');

/** The list from which iOS installs a release: it asks without a session, so the token in the address is all it has. */
export async function getIosManifest(ctx: Ctx, appId: string, releaseId: number, token: string): Promise<string> {
  if (!isManifestToken(ctx, appId, releaseId, token)) {
    throw forbidden('The token is not one of this release, or has expired; open the install page again.');
  }
  const app = await getApp({ ...ctx, app: await getAppRef(ctx, appId), permission: 'tester' });
  const release = await findRelease(
    { ...ctx, app: { ...app, ownerId: app.owner.id, ownerName: app.owner.name } },
    releaseId,
  );
  if (release?.kind !== 'ipa' || !release.isEnabled) throw noSuchRelease(releaseId);
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
