import type { Ctx } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { type AppRef, getApp } from '../../apps/index.ts';
import type { GroupReleasesCtx } from '../install/group-releases.scope.ts';
import { installLinks } from '../install/install-links.ts';
import { listNewestGroupReleases, listNewestPublicReleases } from '../releases.store.ts';
import { type Release, toRelease } from '../releases.ts';
import { element, XML_HEAD } from './xml-writing.ts';

/** Self-updating programs only read the newest releases. */
const FEED_LENGTH = 50;

type InApp = Ctx & { app: AppRef };

const listNewestInGroup = async ({ db, app, group }: GroupReleasesCtx): Promise<Release[]> =>
  (await listNewestGroupReleases.all(db, { appId: app.id, groupId: group.id, limit: FEED_LENGTH })).map(toRelease);

const listNewestInPublicGroups = async ({ db, app }: InApp): Promise<Release[]> =>
  (await listNewestPublicReleases.all(db, { appId: app.id, limit: FEED_LENGTH })).map(toRelease);

/** A version for Sparkle; without a signature, Sparkle only installs it if the app permits that. */
function buildItem(ctx: InApp, release: Release): string {
  const { downloadUrl } = installLinks(ctx, ctx.app.id, release);
  const { ed_signature, dsa_signature } = release.signatures ?? {};
  return element('item', {}, [
    element('title', {}, `${release.shortVersion} (${release.version})`),
    element('pubDate', {}, new Date(release.uploadedAt).toUTCString()),
    element('sparkle:version', {}, release.version),
    element('sparkle:shortVersionString', {}, release.shortVersion),
    release.minOs ? element('sparkle:minimumSystemVersion', {}, release.minOs) : '',
    release.notes ? element('description', { 'sparkle:format': 'markdown' }, release.notes) : '',
    element('enclosure', {
      url: downloadUrl,
      length: String(release.size),
      type: 'application/octet-stream',
      'sparkle:edSignature': ed_signature,
      'sparkle:dsaSignature': dsa_signature,
    }),
  ]);
}

async function buildAppcast(ctx: InApp, releases: readonly Release[]): Promise<string> {
  const { displayName } = await getApp({ ...ctx, permission: 'tester' });
  const channel = [
    element('title', {}, displayName),
    element('link', {}, getResponseUrl(ctx)),
    element('description', {}, `Releases of ${displayName}`),
    ...releases.map((release) => buildItem(ctx, release)),
  ];
  const namespaces = { version: '2.0', 'xmlns:sparkle': 'http://www.andymatuschak.org/xml-namespaces/sparkle' };
  return `${XML_HEAD}${element('rss', namespaces, [element('channel', {}, channel)])}\n`;
}

export const getPublicAppcast = async (ctx: InApp): Promise<string> =>
  buildAppcast(ctx, await listNewestInPublicGroups(ctx));

export const getGroupAppcast = async (ctx: GroupReleasesCtx): Promise<string> =>
  buildAppcast(ctx, await listNewestInGroup(ctx));

const bundles = ['appxbundle', 'msixbundle'];
const packages = ['appx', 'msix'];

/** Checks whether App Installer on Windows can install it and its later versions. */
export const hasAppInstaller = ({ kind, metadata }: Release): boolean =>
  [...bundles, ...packages].includes(kind) && metadata.publisher !== undefined;

export const appInstallerPath = ({ app, group }: Pick<GroupReleasesCtx, 'app' | 'group'>): string =>
  `/v0.1/apps/${[app.ownerName, app.name, 'distribution_groups', group.name, 'appinstaller'].map(encodeURIComponent).join('/')}`;

/** Windows reads this file again from its URL, so it always names the latest package. */
export async function getAppInstaller(ctx: GroupReleasesCtx): Promise<string> {
  const releases = await listNewestInGroup(ctx);
  const release = releases.find(hasAppInstaller);
  if (!release) {
    throw new Failure(
      'NotFound',
      'This group has no .msix or .appx package with a publisher. Distribute one to it first.',
      {},
      'not_found',
    );
  }
  const { downloadUrl } = installLinks(ctx, ctx.app.id, release);
  const isBundle = bundles.includes(release.kind);
  const main = element(isBundle ? 'MainBundle' : 'MainPackage', {
    Name: release.bundleIdentifier ?? '',
    Publisher: release.metadata.publisher,
    Version: release.version,
    ProcessorArchitecture: isBundle ? undefined : (release.metadata.architectures?.[0] ?? 'neutral'),
    Uri: downloadUrl,
  });
  const settings = element('UpdateSettings', {}, [element('OnLaunch', { HoursBetweenUpdateChecks: '0' })]);
  const installer = {
    xmlns: 'http://schemas.microsoft.com/appx/appinstaller/2018',
    Version: release.version,
    Uri: getResponseUrl(ctx) + appInstallerPath(ctx),
  };
  return `${XML_HEAD}${element('AppInstaller', installer, [main, settings])}\n`;
}
