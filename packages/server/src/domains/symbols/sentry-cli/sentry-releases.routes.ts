import {
  sentryReleases_create,
  sentryReleases_createForApp,
  sentryReleases_update,
  sentryReleases_updateForApp,
} from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';

interface RequestedRelease {
  version: string;
  projects?: readonly string[] | undefined;
  dateStarted?: string | null | undefined;
  dateReleased?: string | null | undefined;
}

/** Describes a release as the client requested it. Versions come from the data that apps send, so nothing is stored. */
const toRelease = ({ clock }: Ctx, { version, projects = [], dateStarted, dateReleased }: RequestedRelease) => ({
  version,
  dateCreated: dateStarted ?? toIso(clock.now()),
  dateReleased: dateReleased ?? null,
  url: null,
  newGroups: 0,
  lastEvent: null,
  projects: projects.map((name) => ({ slug: name, name })),
});

export const sentryReleaseRoutes = [
  route(sentryReleases_createForApp, async (ctx, { body }) => toRelease(ctx, body)),
  route(sentryReleases_updateForApp, async (ctx, { params: { version }, body }) =>
    toRelease(ctx, { ...body, version }),
  ),
  route(sentryReleases_create, async (ctx, { body }) => toRelease(ctx, body)),
  route(sentryReleases_update, async (ctx, { params: { version }, body }) => toRelease(ctx, { ...body, version })),
];
