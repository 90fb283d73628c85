import type { Ctx } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import { type AppRef, findAppGrant, getApp, getAppRef } from '../../apps/index.ts';
import { listUserDeviceRows } from '../devices/devices.store.ts';
import { type DistributedRelease, findRelease, listGroupReleases, listReleases } from '../releases.ts';
import { appInstallerPath, hasAppInstaller } from '../updates/update-feeds.ts';
import { type GroupReleasesCtx, groupReleasesScope } from './group-releases.scope.ts';
import { installLinks, readInstallLink } from './install-links.ts';
import { drawEmptyGroup, drawEndedLink, drawInstallPage, drawNothingToInstall } from './install-page.ts';
import { feedbackPath } from './release-feedback.ts';
import { type ShownPage, shownPage as shown } from './shown-page.ts';
import { findTesterInstall } from './tester-installs.store.ts';
import { canInstall } from './user-downloads.ts';
import { toVisitor } from './visitor-system.ts';

/** An unknown URL gets the same page, so it reveals nothing. */
const nothing = ({ actor }: Ctx, path: string): ShownPage =>
  shown(drawNothingToInstall(actor.kind === 'user' ? undefined : `/sign-in?next=${encodeURIComponent(path)}`), {
    status: 404,
  });

/** The selected release, and the paths of the others. */
interface Choice {
  releases: DistributedRelease[];
  releaseId: number | undefined;
  buildPath(id: number): string;
  path: string;
  /** Path for App Installer on Windows, which also installs later releases. */
  appInstaller?: string | undefined;
}

async function drawChosen(ctx: Ctx, app: GroupReleasesCtx['app'], choice: Choice) {
  const { releases, releaseId, buildPath, path, appInstaller } = choice;
  const release = releaseId === undefined ? releases[0] : releases.find(({ id }) => id === releaseId);
  const full = await getApp({ ...ctx, app, permission: 'tester' });
  if (!release) return releaseId === undefined ? shown(drawEmptyGroup(full)) : nothing(ctx, path);
  return shown(
    drawInstallPage({
      app: full,
      release,
      links: installLinks(ctx, app.id, release, { userId: await findInstaller(ctx, app.id, release.id) }),
      isLatest: release === releases[0],
      appInstaller: release === releases[0] && hasAppInstaller(release) ? appInstaller : undefined,
      history: releases.map((one) => ({ release: one, path: buildPath(one.id) })),
      url: getResponseUrl(ctx) + path,
      ...(await describeVisitor(ctx, app.id)),
      feedbackPath: feedbackPath(ctx, app.id, release.id),
    }),
  );
}

/** The user that a download counts for: a tester of the release, or a member of the app. */
async function findInstaller(ctx: Ctx, appId: string, releaseId: number): Promise<string | undefined> {
  if (ctx.actor.kind !== 'user') return undefined;
  const userId = ctx.actor.user.id;
  return (await canInstall(ctx, { appId, releaseId, userId })) ? userId : undefined;
}

/** The visitor's system, and for signed-in users what they have. */
async function describeVisitor({ db, actor, origin, clock }: Ctx, appId: string) {
  const visitor = { visitor: toVisitor(origin?.userAgent), now: clock.now() };
  if (actor.kind !== 'user') return { ...visitor, isSignedIn: false, devices: undefined };
  const userId = actor.user.id;
  return {
    ...visitor,
    isSignedIn: true,
    installedId: (await findTesterInstall.first(db, { userId, appId }))?.release_id,
    devices: await listUserDeviceRows.all(db, { userId }),
  };
}

export interface AppAddress {
  ownerType: string;
  owner: string;
  app: string;
}

const appPath = ({ ownerType, owner, app }: AppAddress): string =>
  `/install/${ownerType}/${encodeURIComponent(owner)}/apps/${encodeURIComponent(app)}`;
const releasePath = (path: string, id: number | undefined): string =>
  id === undefined ? path : `${path}/releases/${id}`;

/** Shows releases that were distributed to a tester; users with access to the app see all installable ones. */
export async function showAppPage(ctx: Ctx, address: AppAddress, releaseId: number | undefined): Promise<ShownPage> {
  const path = releasePath(appPath(address), releaseId);
  const { actor } = ctx;
  if (actor.kind !== 'user') return nothing(ctx, path);
  const grant = await findAppGrant(ctx, actor, address.owner, address.app);
  if (!grant) return nothing(ctx, path);
  const releases = (await listReleases({ ...ctx, ...grant, actor })).filter(({ isEnabled }) => isEnabled);
  const buildPath = (id: number) => releasePath(appPath(address), id);
  return drawChosen(ctx, grant.app, { releases, releaseId, path, buildPath });
}

const isGroup = (context: object): context is Pick<GroupReleasesCtx, 'app' | 'group'> => 'group' in context;

/** Shows releases of a group: of a public one to anyone, otherwise to users with access. */
export async function showGroupPage(
  ctx: Ctx,
  address: AppAddress & { group: string },
  releaseId: number | undefined,
): Promise<ShownPage> {
  const base = `${appPath(address)}/distribution_groups/${encodeURIComponent(address.group)}`;
  const path = releasePath(base, releaseId);
  const found = await groupReleasesScope.find(ctx, ctx.actor, [address.owner, address.app, address.group]);
  if (!found || !isGroup(found.context)) return nothing(ctx, path);
  const { app, group } = found.context;
  const releases = (await listGroupReleases({ ...ctx, app }, group.id)).filter(({ isEnabled }) => isEnabled);
  // App Installer reads it without signing in.
  const appInstaller = group.isPublic ? appInstallerPath({ app, group }) : undefined;
  return drawChosen(ctx, app, { releases, releaseId, path, buildPath: (id) => releasePath(base, id), appInstaller });
}

/** An expired link leads to the sign-in page, and from there to the release, for accounts that have it. */
async function showAfterLink(ctx: Ctx, app: AppRef, releaseId: number, path: string): Promise<ShownPage> {
  if (ctx.actor.kind !== 'user')
    return shown(drawEndedLink(`/sign-in?next=${encodeURIComponent(path)}`), { status: 404 });
  const { owner } = await getApp({ ...ctx, app, permission: 'tester' });
  const ownerType = owner.kind === 'org' ? 'orgs' : 'users';
  return showAppPage(ctx, { ownerType, owner: app.ownerName, app: app.name }, releaseId);
}

const isNotFound = (error: unknown): boolean => error instanceof Failure && error.code === 'NotFound';

/** Shows the release of a link, while it exists and is enabled. */
export async function showLinkedPage(ctx: Ctx, link: string): Promise<ShownPage> {
  const read = readInstallLink(ctx, link);
  const ref =
    read &&
    (await getAppRef(ctx, read.appId).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }));
  const release = read && ref && (await findRelease({ ...ctx, app: ref }, read.releaseId));
  if (!read || !ref || !release?.isEnabled) return shown(drawEndedLink(), { status: 404 });
  if (read.isEnded) return showAfterLink(ctx, ref, release.id, `/install/links/${link}`);
  return shown(
    drawInstallPage({
      app: await getApp({ ...ctx, app: ref, permission: 'tester' }),
      release,
      links: installLinks(ctx, ref.id, release, {
        endsAt: read.endsAt,
        userId: await findInstaller(ctx, ref.id, release.id),
      }),
      isLatest: false,
      history: [],
      url: `${getResponseUrl(ctx)}/install/links/${link}`,
      ...(await describeVisitor(ctx, ref.id)),
      feedbackPath: feedbackPath(ctx, ref.id, release.id),
    }),
  );
}
