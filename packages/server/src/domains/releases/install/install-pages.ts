import type { Ctx } from '../../../context.ts';
import { answerUrl } from '../../../kernel/answer-url.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type AppRef, findAppGrant, getApp, getAppRef } from '../../apps/index.ts';
import { listDevicesOfUser } from '../devices/devices.store.ts';
import { findRelease, type GivenRelease, isProvisioned, listGroupReleases, listReleases } from '../releases.ts';
import { appInstallerPath, hasAppInstaller } from '../updates/update-feeds.ts';
import { type GroupReleasesCtx, groupReleasesScope } from './group-releases.scope.ts';
import { installLinks, readInstallLink } from './install-links.ts';
import { drawEmptyGroup, drawEndedLink, drawInstallPage, drawNothingToInstall } from './install-page.ts';
import { type ShownPage, shownPage as shown } from './shown-page.ts';
import { visitorSystem } from './visitor-system.ts';

/** Also an address that names nothing is told in these words; nobody learns which. */
const nothing = ({ actor }: Ctx, path: string): ShownPage =>
  shown(drawNothingToInstall(actor.kind === 'user' ? undefined : `/sign-in?next=${encodeURIComponent(path)}`), {
    status: 404,
  });

/** Which of several a visitor asked for, and where the pages of the others are. */
interface Choice {
  releases: GivenRelease[];
  wanted: number | undefined;
  pathOf(id: number): string;
  path: string;
  /** Where Windows gets the latest of them, and what comes after it. */
  appInstaller?: string | undefined;
}

async function drawChosen(ctx: Ctx, app: GroupReleasesCtx['app'], choice: Choice) {
  const { releases, wanted, pathOf, path, appInstaller } = choice;
  const release = wanted === undefined ? releases[0] : releases.find(({ id }) => id === wanted);
  const full = await getApp({ ...ctx, app, permission: 'tester' });
  if (!release) return wanted === undefined ? shown(drawEmptyGroup(full)) : nothing(ctx, path);
  return shown(
    drawInstallPage({
      app: full,
      release,
      links: installLinks(ctx, app.id, release),
      isLatest: release === releases[0],
      appInstaller: release === releases[0] && hasAppInstaller(release) ? appInstaller : undefined,
      others: releases.filter((one) => one !== release).map((one) => ({ release: one, path: pathOf(one.id) })),
      url: answerUrl(ctx) + path,
      system: visitorSystem(ctx.origin?.userAgent),
      now: ctx.clock.now(),
      devices: await ownDevices(ctx, release),
    }),
  );
}

/** Apple devices of whoever is signed in, and whether the release names them. */
async function ownDevices({ db, actor }: Ctx, { metadata }: GivenRelease) {
  const { profile } = metadata;
  if (!profile || actor.kind !== 'user') return undefined;
  const devices = await listDevicesOfUser.all(db, { userId: actor.user.id });
  return devices.map(({ udid, model }) => ({ name: `${model} (${udid})`, isNamed: isProvisioned(profile, udid) }));
}

export interface AskedApp {
  ownerType: string;
  owner: string;
  app: string;
}

const appPath = ({ ownerType, owner, app }: AskedApp): string =>
  `/install/${ownerType}/${encodeURIComponent(owner)}/apps/${encodeURIComponent(app)}`;
const releasePath = (path: string, id: number | undefined): string =>
  id === undefined ? path : `${path}/releases/${id}`;

/** What testers were given; whoever works on the app sees all that can be installed. */
export async function showAppPage(ctx: Ctx, asked: AskedApp, wanted: number | undefined): Promise<ShownPage> {
  const path = releasePath(appPath(asked), wanted);
  const { actor } = ctx;
  if (actor.kind !== 'user') return nothing(ctx, path);
  const grant = await findAppGrant(ctx, actor, asked.owner, asked.app);
  if (!grant) return nothing(ctx, path);
  const releases = (await listReleases({ ...ctx, ...grant, actor })).filter(({ isEnabled }) => isEnabled);
  const pathOf = (id: number) => releasePath(appPath(asked), id);
  return drawChosen(ctx, grant.app, { releases, wanted, path, pathOf });
}

const isGroup = (context: object): context is Pick<GroupReleasesCtx, 'app' | 'group'> => 'group' in context;

/** What a group was given: of a public one for everybody, else for whoever may see it. */
export async function showGroupPage(
  ctx: Ctx,
  asked: AskedApp & { group: string },
  wanted: number | undefined,
): Promise<ShownPage> {
  const base = `${appPath(asked)}/distribution_groups/${encodeURIComponent(asked.group)}`;
  const path = releasePath(base, wanted);
  const found = await groupReleasesScope.find(ctx, ctx.actor, [asked.owner, asked.app, asked.group]);
  if (!found || !isGroup(found.context)) return nothing(ctx, path);
  const { app, group } = found.context;
  const releases = (await listGroupReleases({ ...ctx, app }, group.id)).filter(({ isEnabled }) => isEnabled);
  // It is read without anybody signed in.
  const appInstaller = group.isPublic ? appInstallerPath({ app, group }) : undefined;
  return drawChosen(ctx, app, { releases, wanted, path, pathOf: (id) => releasePath(base, id), appInstaller });
}

/** A link that has expired leads to the sign-in, and from there to the release, for an account that was given it. */
async function showAfterLink(ctx: Ctx, app: AppRef, releaseId: number, path: string): Promise<ShownPage> {
  if (ctx.actor.kind !== 'user')
    return shown(drawEndedLink(`/sign-in?next=${encodeURIComponent(path)}`), { status: 404 });
  const { owner } = await getApp({ ...ctx, app, permission: 'tester' });
  const ownerType = owner.kind === 'org' ? 'orgs' : 'users';
  return showAppPage(ctx, { ownerType, owner: app.ownerName, app: app.name }, releaseId);
}

const isGone = (error: unknown): boolean => error instanceof Failure && error.code === 'NotFound';

/** The one release that a link is for, as long as it is there and enabled. */
export async function showLinkedPage(ctx: Ctx, link: string): Promise<ShownPage> {
  const read = readInstallLink(ctx, link);
  const ref =
    read &&
    (await getAppRef(ctx, read.appId).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    }));
  const release = read && ref && (await findRelease({ ...ctx, app: ref }, read.releaseId));
  if (!read || !ref || !release?.isEnabled) return shown(drawEndedLink(), { status: 404 });
  if (read.isEnded) return showAfterLink(ctx, ref, release.id, `/install/links/${link}`);
  return shown(
    drawInstallPage({
      app: await getApp({ ...ctx, app: ref, permission: 'tester' }),
      release,
      links: installLinks(ctx, ref.id, release, { endsAt: read.endsAt }),
      isLatest: false,
      others: [],
      url: `${answerUrl(ctx)}/install/links/${link}`,
      system: visitorSystem(ctx.origin?.userAgent),
      now: ctx.clock.now(),
      devices: await ownDevices(ctx, release),
    }),
  );
}
