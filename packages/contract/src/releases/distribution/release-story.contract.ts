import type { Static } from 'typebox';
import { endpoint, json } from '../../endpoint/index.ts';
import { AppPath, Time } from '../../fields.ts';
import { Type } from '../../type.ts';

/** The shortest retention of crash reports, so that both compared versions still have all reports. */
export const STORY_DAYS = 28;
/** Fewer devices say nothing about the stability of a version. */
export const STORY_MIN_DEVICES = 30;

export const releaseVerdicts = ['healthier', 'as_healthy', 'less_healthy', 'unknown'] as const;

const optionalText = Type.Optional(Type.String());
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Devices = Type.Integer({ minimum: 0 });
const Id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

const Version = {
  short_version: Type.String({ description: 'The version that users see.' }),
  version: Type.String({ description: 'The version code or build number.' }),
};

/** Filled by builds, tests and CodePush. */
const PartFields = Type.Object({
  commit: Type.Optional(
    Type.Object({
      sha: Type.String(),
      branch: optionalText,
      message: optionalText,
      author: optionalText,
      url: Type.Optional(Type.String({ description: 'The page of the commit at the Git host.' })),
    }),
  ),
  build: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      branch: Type.String(),
      status: Type.String(),
      result: Type.String(),
      finished_at: Type.Optional(Time),
    }),
  ),
  tests: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        series: optionalText,
        status: Type.String(),
        result: Type.String(),
        passed: Type.Integer({ minimum: 0 }),
        failed: Type.Integer({ minimum: 0 }),
        at: Time,
      }),
      { maxItems: 5, description: 'The newest test runs of the release or build, newest first.' },
    ),
  ),
  updates: Type.Optional(
    Type.Array(
      Type.Object({
        deployment: Type.String(),
        label: Type.String(),
        is_mandatory: Type.Boolean(),
        rollout: Type.Optional(
          Type.Integer({ description: 'The percentage of devices, while the rollout is not complete.' }),
        ),
      }),
      { maxItems: 10, description: 'The CodePush updates that devices with this version get, by deployment.' },
    ),
  ),
});

export type ReleaseStoryFields = Static<typeof PartFields>;

const ReleaseStory = Type.Object(
  {
    ...PartFields.properties,
    release: Type.Optional(Type.Object({ id: Type.Integer(), ...Version, enabled: Type.Boolean(), uploaded_at: Time })),
    other_releases: Type.Array(Type.Integer(), {
      maxItems: 20,
      description: 'Other releases of the same build, newest first.',
    }),
    version: Type.Optional(
      Type.Object(Version, { description: 'Absent for a build or test run without a known release.' }),
    ),
    destinations: Type.Optional(
      Type.Object({
        groups: Type.Array(
          Type.Object({
            name: Type.String(),
            display_name: Type.String(),
            is_latest: Type.Boolean({ description: 'True if the group has no newer enabled release.' }),
            mandatory_update: Type.Boolean(),
          }),
          { maxItems: 20 },
        ),
        group_count: Devices,
        tester_count: Devices,
        stores: Type.Array(Type.String(), { maxItems: 20 }),
      }),
    ),
    adoption: Type.Optional(
      Type.Object({
        devices: Devices,
        all_devices: Type.Integer({ minimum: 0, description: 'The active devices of all versions.' }),
        percent: Percent,
      }),
    ),
    stability: Type.Optional(Type.Object({ crashed_devices: Devices, crash_free_devices: Percent })),
    verdict: Type.Optional(
      Type.Object(
        {
          outcome: Type.Enum([...releaseVerdicts], {
            description: `\`as_healthy\`: the difference may be chance. \`unknown\`: this version or every earlier one had fewer than ${STORY_MIN_DEVICES} active devices.`,
          }),
          points: Type.Optional(
            Type.Number({ description: 'The difference of the crash-free devices, in percentage points.' }),
          ),
          previous: Type.Optional(
            Type.Object({
              ...Version,
              release_id: Type.Optional(Type.Integer()),
              devices: Devices,
              crash_free_devices: Percent,
            }),
          ),
        },
        { description: 'The comparison with the newest earlier version with enough devices.' },
      ),
    ),
    days: Type.Integer({ description: 'Adoption and stability cover this number of days until today.' }),
  },
  { $id: 'ReleaseStory' },
);

/** Not in the API of App Center. */
export const releaseStory_get = endpoint({
  tag: 'releases',
  errorShape: 'flat',
  id: 'releaseStory_get',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/release_story',
  summary: 'Follow a version from its commit to its devices',
  description:
    'Commit, build, tests, groups, adoption, crash-free devices and CodePush updates of one release, and a comparison with the previous version. Name the release by its number, its version and build number, its build, or one of its test runs. Unknown steps are omitted.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({
    release_id: Type.Optional(Id),
    build_id: Type.Optional(Id),
    test_run_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    version: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'The version that users see.' })),
    build_number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'The version code or build number, with `version`.' }),
    ),
  }),
  response: json(ReleaseStory, { description: 'The steps that are known.' }),
  errors: [400, 404],
});
