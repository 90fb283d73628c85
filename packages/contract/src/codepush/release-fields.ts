import { Type } from '../type.ts';

export const RELEASE_DESCRIPTION_MAX = 10_000;
export const releaseMethods = ['Upload', 'Promote', 'Rollback'] as const;

export const CodePushRelease = Type.Object(
  {
    label: Type.Optional(Type.String({ description: '`v` and a number. Never reused.' })),
    target_binary_range: Type.Optional(
      Type.String({ description: 'The versions of the binary that the release supports, such as 1.2.x.' }),
    ),
    description: Type.Optional(Type.String()),
    is_disabled: Type.Optional(Type.Boolean()),
    is_mandatory: Type.Optional(Type.Boolean()),
    rollout: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'The percentage of devices that get the release.' }),
    ),
    package_hash: Type.Optional(Type.String()),
    blob_url: Type.Optional(Type.String()),
    diff_package_map: Type.Optional(
      Type.Record(Type.String(), Type.Object({ size: Type.Integer(), url: Type.String() }), {
        description: 'Diffs for devices with another package, by the hash of that package.',
      }),
    ),
    original_deployment: Type.Optional(
      Type.String({ description: 'The deployment that the release was promoted from.' }),
    ),
    original_label: Type.Optional(
      Type.String({ description: 'The label of the release that was promoted or rolled back to.' }),
    ),
    released_by: Type.Optional(Type.String()),
    release_method: Type.Optional(Type.Enum([...releaseMethods])),
    size: Type.Optional(Type.Integer({ description: 'The size in bytes.' })),
    upload_time: Type.Optional(Type.Integer({ description: 'Unix time in milliseconds.' })),
  },
  { $id: 'CodePushRelease' },
);
