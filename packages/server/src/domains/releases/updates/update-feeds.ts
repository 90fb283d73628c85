import type { Ctx } from '../../../context.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type AppRef, getApp } from '../../apps/index.ts';
import type { GroupReleasesCtx } from '../install/group-releases.scope.ts';
import { installLinks } from '../install/install-links.ts';
import { listNewestOfGroup, listNewestOfPublicGroups } from '../releases.store.ts';
import { type Release, toRelease } from '../releases.ts';
import { element, XML_HEAD } from './xml-writing.ts';

/** Programs that update themselves look at the newest few. */
const FEED_LENGTH = 50;

type InApp = Ctx & { app: AppRef };

const newestOfGroup = async ({ db, app, group }: GroupReleasesCtx): Promise<Release[]> =>
  (await listNewestOfGroup.all(db, { appId: app.id, groupId: group.id, limit: FEED_LENGTH })).map(toRelease);

const newestOfPublicGroups = async ({ db, app }: InApp): Promise<Release[]> =>
  (await listNewestOfPublicGroups.all(db, { appId: app.id, limit: FEED_LENGTH })).map(toRelease);

/** One version that Sparkle may install; without a signature it takes none but where it was told to. */
function itemOf(ctx: InApp, release: Release): string {
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

async function appcastOf(ctx: InApp, releases: readonly Release[]): Promise<string> {
  const { displayName } = await getApp({ ...ctx, permission: 'tester' });
  const channel = [
    element('title', {}, displayName),
    element('link', {}, answerUrl(ctx)),
    element('description', {}, `Releases of ${displayName}`),
    ...releases.map((release) => itemOf(ctx, release)),
  ];
  const namespaces = { version: '2.0', 'xmlns:sparkle': 'http://www.andymatuschak.org/xml-namespaces/sparkle' };
  return `${XML_HEAD}${element('rss', namespaces, [element('channel', {}, channel)])}\n`;
}

export const getPublicAppcast = async (ctx: InApp): Promise<string> => appcastOf(ctx, await newestOfPublicGroups(ctx));

export const getGroupAppcast = async (ctx: GroupReleasesCtx): Promise<string> =>
  appcastOf(ctx, await newestOfGroup(ctx));

const bundles = ['appxbundle', 'msixbundle'];
const packages = ['appx', 'msix'];

/** Whether Windows installs it, and later ones, by a list that it reads again. */
export const hasAppInstaller = ({ kind, metadata }: Release): boolean =>
  [...bundles, ...packages].includes(kind) && metadata.publisher !== undefined;

export const appInstallerPath = ({ app, group }: Pick<GroupReleasesCtx, 'app' | 'group'>): string =>
  `/v0.1/apps/${[app.ownerName, app.name, 'distribution_groups', group.name, 'appinstaller'].map(encodeURIComponent).join('/')}`;

/** Windows reads it again from where it came, so it is always that of the latest package. */
export async function getAppInstaller(ctx: GroupReleasesCtx): Promise<string> {
  const releases = await newestOfGroup(ctx);
  const release = releases.find(hasAppInstaller);
  if (!release) {
    throw new Failure(
      'NotFound',
      'This group has no .msix or .appx package that names its publisher.',
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
    Uri: answerUrl(ctx) + appInstallerPath(ctx),
  };
  return `${XML_HEAD}${element('AppInstaller', installer, [main, settings])}\n`;
}
