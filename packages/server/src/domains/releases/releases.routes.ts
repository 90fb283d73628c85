import {
  type EndpointInput,
  provisioning_profile,
  releases_addDistributionGroup,
  releases_addTesters,
  releases_availableToTester,
  releases_delete,
  releases_deleteDistributionGroup,
  releases_deleteDistributionTester,
  releases_deleteTesterFromDestinations,
  releases_deleteWithDistributionGroupId,
  releases_getLatestByDistributionGroup,
  releases_getLatestByUser,
  releases_list,
  releases_listByDistributionGroup,
  releases_listLatest,
  releases_listTesterApps,
  releases_putDistributionGroup,
  releases_putDistributionTester,
  releases_update,
  releases_updateDetails,
} from '@mooring/contract';
import { tx } from '../../db/tx.ts';
import { route } from '../../http/mount.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { getApp } from '../apps/index.ts';
import { shownAvatar } from '../avatars/index.ts';
import { canHandOver } from './handovers.ts';
import { installLinks, installPageUrl } from './install/install-links.ts';
import {
  distributeToGroup,
  distributeToNamed,
  distributeToTester,
  type NamedDestination,
  setMandatoryForGroup,
  setMandatoryForTester,
  takeAllFromTester,
  takeFromGroup,
  takeFromGroupNamed,
  takeFromTester,
} from './release-destinations.ts';
import {
  type DistributedRelease,
  deleteRelease,
  getGroupRelease,
  getLatestRelease,
  getRelease,
  listGroupReleases,
  listRecentReleases,
  listReleases,
  listTesterApps,
  seesAll,
  updateRelease,
} from './releases.ts';
import { basicsToWire, groupReleaseToWire, listedToWire, releaseToWire } from './releases.wire.ts';

const numberIn = ({ release_id }: { release_id: string }): number => Number(release_id);
const parseReleaseId = (id: string): number | 'latest' => (id === 'latest' ? 'latest' : Number(id));

type UpdateBody = EndpointInput<typeof releases_update>['body'];

/** Clients of different versions send destinations in different fields. */
function destinationsFrom({ destination_type: type, ...body }: UpdateBody): NamedDestination[] {
  const one = ({ id, name, type }: NamedDestination) =>
    id === undefined && name === undefined ? [] : [{ id, name, type }];
  return [
    ...(body.destinations ?? []).map((named) => ({ ...named, type })),
    ...one({ id: body.destination_id, name: body.destination_name, type }),
    ...one({ id: body.distribution_group_id, name: body.distribution_group_name }),
  ];
}

const toDistributeOptions = (body: { mandatory_update?: boolean; notify_testers?: boolean }) => ({
  isMandatory: body.mandatory_update ?? false,
  notifyTesters: body.notify_testers ?? true,
});

const toDestinationResponse = (id: string, body: { mandatory_update?: boolean }) => ({
  id,
  mandatory_update: body.mandatory_update ?? false,
});

const shortDestinations = ({ destinations }: DistributedRelease) => destinations.map(({ id, name }) => ({ id, name }));

export const releaseRoutes = [
  route(releases_list, async (ctx, { query }) => {
    const isOnlyTheirs = query.scope === 'tester';
    return (await listReleases(ctx, { isPublished: query.published_only, isOnlyTheirs })).map(listedToWire(ctx));
  }),
  route(releases_listLatest, async (ctx) => (await listRecentReleases(ctx)).map(listedToWire(ctx))),
  route(releases_availableToTester, async (ctx, { query }) =>
    (await listReleases(ctx, { isOnlyTheirs: true, isPublished: query.published_only })).map(listedToWire(ctx)),
  ),
  route(releases_getLatestByUser, async (ctx, { params, query }) => {
    const which = parseReleaseId(params.release_id);
    const release = which === 'latest' ? await getLatestRelease(ctx) : await getRelease(ctx, which);
    const endsAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE;
    const { profile } = release.metadata;
    const isForDevices = profile?.type === 'adhoc' && seesAll(ctx);
    return {
      ...releaseToWire(ctx, await getApp(ctx), release, { udid: query.udid }),
      can_resign: profile && isForDevices && (await canHandOver(ctx, 'resign-apple')),
      install_page_url: installPageUrl(ctx, { appId: ctx.app.id, releaseId: release.id, endsAt }),
    };
  }),
  route(releases_updateDetails, async (ctx, { params, body }) => {
    const uploadedAt = body.uploaded_at === undefined ? undefined : Date.parse(body.uploaded_at);
    const change = { notes: body.release_notes, isEnabled: body.enabled, build: body.build, uploadedAt };
    const release = await updateRelease(ctx, numberIn(params), change);
    return { enabled: release.isEnabled, release_notes: release.notes, destinations: shortDestinations(release) };
  }),
  route(releases_update, (ctx, { params, body }) =>
    tx(ctx, async (ctx) => {
      const id = numberIn(params);
      const change = { notes: body.release_notes, build: body.build, signatures: body.metadata };
      const { notes } = await updateRelease(ctx, id, change);
      for (const destination of destinationsFrom(body))
        await distributeToNamed(ctx, id, destination, toDistributeOptions(body));
      return { release_notes: notes };
    }),
  ),
  route(releases_delete, (ctx, { params }) => deleteRelease(ctx, numberIn(params))),
  route(releases_listByDistributionGroup, async (ctx) =>
    (await listGroupReleases(ctx, ctx.group.id))
      .filter(({ isEnabled }) => isEnabled)
      .map((release) => groupReleaseToWire(release, ctx.group.id)),
  ),
  route(releases_getLatestByDistributionGroup, async (ctx, { params }) => {
    const release = await getGroupRelease(ctx, ctx.group.id, parseReleaseId(params.release_id));
    // Of the release's destinations, only the requested group is shown.
    const destinations = release.destinations.filter(({ id }) => id === ctx.group.id);
    const app = await getApp({ ...ctx, permission: 'tester' });
    return releaseToWire(ctx, app, { ...release, destinations }, { groupId: ctx.group.id });
  }),
  route(releases_deleteWithDistributionGroupId, (ctx, { params }) =>
    takeFromGroupNamed(ctx, numberIn(params), params.distribution_group_name),
  ),
  route(releases_listTesterApps, async (ctx) =>
    (await listTesterApps(ctx)).map(({ app, release, isMandatory }) => ({
      id: app.id,
      name: app.name,
      display_name: app.displayName,
      description: app.description,
      icon_url: shownAvatar(ctx, release.iconPath ?? app.iconUrl),
      os: app.os,
      owner: {
        id: app.owner.id,
        name: app.owner.name,
        display_name: app.owner.displayName,
        avatar_url: shownAvatar(ctx, app.owner.avatarUrl),
        type: app.owner.kind,
      },
      release: {
        ...basicsToWire(release),
        mandatory_update: isMandatory,
        size: release.size,
        install_url: installLinks(ctx, app.id, release).installUrl,
        release_notes: release.notes,
      },
    })),
  ),
  route(provisioning_profile, async (ctx, { params }) => {
    const { profile } = (await getRelease(ctx, numberIn(params))).metadata;
    if (!profile) throw badRequest('This release has no provisioning profile; only iOS apps have one.');
    return {
      provisioning_profile_type: profile.type,
      udids: profile.udids,
      provisioning_profile_name: profile.name,
      team_identifier: profile.teamId,
      provisioning_bundle_id: profile.bundleId,
    };
  }),
  route(releases_addDistributionGroup, async (ctx, { params, body }) => {
    await distributeToGroup(ctx, numberIn(params), body.id, toDistributeOptions(body));
    return toDestinationResponse(body.id, body);
  }),
  route(releases_putDistributionGroup, (ctx, { params, body }) =>
    setMandatoryForGroup(ctx, numberIn(params), params.group_id, body.mandatory_update),
  ),
  route(releases_deleteDistributionGroup, (ctx, { params }) => takeFromGroup(ctx, numberIn(params), params.group_id)),
  route(releases_addTesters, async (ctx, { params, body }) =>
    toDestinationResponse(await distributeToTester(ctx, numberIn(params), body.email, toDistributeOptions(body)), body),
  ),
  route(releases_putDistributionTester, (ctx, { params, body }) =>
    setMandatoryForTester(ctx, numberIn(params), params.tester_id, body.mandatory_update),
  ),
  route(releases_deleteDistributionTester, (ctx, { params }) =>
    takeFromTester(ctx, numberIn(params), params.tester_id),
  ),
  route(releases_deleteTesterFromDestinations, (ctx, { params }) => takeAllFromTester(ctx, params.tester_id)),
];
