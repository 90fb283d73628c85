import { empty, endpoint, json } from '../../endpoint/index.ts';
import { AppPath } from '../../fields.ts';
import { Type } from '../../type.ts';

export const COUNTED_RELEASES_MAX = 100;

const common = { tag: 'releases', errorShape: 'flat' } as const;

export const releases_noteInstalls = endpoint({
  ...common,
  id: 'releases_noteInstalls',
  method: 'POST',
  path: '/v0.1/public/apps/{owner_name}/{app_name}/install_analytics',
  summary: 'Count installs of releases',
  description:
    'For install pages. Counts only releases that the caller can see: those of public groups, and those distributed to the caller. Ignores all others.',
  access: 'public',
  effect: 'ingest',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      releases: Type.Array(
        Type.Object({
          release_id: Type.Union([Type.Integer({ minimum: 1, maximum: 999_999_999 }), Type.String({ maxLength: 20 })]),
          distribution_group_id: Type.Optional(Type.String({ maxLength: 100 })),
          user_id: Type.Optional(Type.String({ maxLength: 100 })),
        }),
        { maxItems: COUNTED_RELEASES_MAX },
      ),
    }),
  ),
  response: empty({ status: 204, description: 'The installs are counted.' }),
});

export const Analytics_DistributionReleaseCounts = endpoint({
  ...common,
  id: 'Analytics_DistributionReleaseCounts',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/analytics/distribution/release_counts',
  summary: 'Get the number of installs and of installing users of releases',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      releases: Type.Array(
        Type.Object({
          release: Type.String({ maxLength: 20, description: 'The ID of a release.' }),
          distribution_group: Type.Optional(
            Type.String({ maxLength: 100, description: 'The ID of a group: count only installs by this group.' }),
          ),
        }),
        { maxItems: COUNTED_RELEASES_MAX },
      ),
    }),
  ),
  response: json(
    Type.Object({
      total: Type.Integer(),
      counts: Type.Array(
        Type.Object({
          release_id: Type.String(),
          distribution_group: Type.Optional(Type.String()),
          unique_count: Type.Integer({ description: 'The number of users who installed it.' }),
          total_count: Type.Integer({ description: 'The number of installs.' }),
        }),
      ),
    }),
    { description: 'One count for each requested release.' },
  ),
});
