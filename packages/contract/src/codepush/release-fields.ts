import { Type } from '../type.ts';

export const RELEASE_DESCRIPTION_MAX = 10_000;
export const releaseMethods = ['Upload', 'Promote', 'Rollback'] as const;

export const CodePushRelease = Type.Object(
  {
    label: Type.Optional(Type.String({ description: '`v` and a number; one that was used is never used again.' })),
    target_binary_range: Type.Optional(
      Type.String({ description: 'The versions of the binary that it is for, such as 1.2.x.' }),
    ),
    description: Type.Optional(Type.String()),
    is_disabled: Type.Optional(Type.Boolean()),
    is_mandatory: Type.Optional(Type.Boolean()),
    rollout: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Per cent of devices.' })),
    package_hash: Type.Optional(Type.String()),
    blob_url: Type.Optional(Type.String()),
    diff_package_map: Type.Optional(
      Type.Record(Type.String(), Type.Object({ size: Type.Integer(), url: Type.String() }), {
        description: 'What devices with another package download instead, by its hash.',
      }),
    ),
    original_deployment: Type.Optional(Type.String({ description: 'From where it was promoted.' })),
    original_label: Type.Optional(Type.String({ description: 'What was promoted, or rolled back to.' })),
    released_by: Type.Optional(Type.String()),
    release_method: Type.Optional(Type.Enum([...releaseMethods])),
    size: Type.Optional(Type.Integer({ description: 'In bytes.' })),
    upload_time: Type.Optional(Type.Integer({ description: 'In milliseconds since 1970.' })),
  },
  { $id: 'CodePushRelease' },
);
