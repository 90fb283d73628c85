import { endpoint, json } from '../../endpoint/index.ts';
import { AppPath } from '../../fields.ts';
import { Type } from '../../type.ts';

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/release_gate';
const setting = {
  hold_failed: Type.Boolean({
    description:
      'Blocks the distribution of a release whose newest test run failed. While the tests run, distributions wait, and continue when they pass. Releases without test runs are not blocked.',
  }),
};
const Gate = Type.Object(
  {
    ...setting,
    waiting: Type.Array(
      Type.Object({
        release_id: Type.Integer(),
        destination_type: Type.Enum(['group', 'tester', 'store']),
        destination: Type.String({ description: 'The ID of a group or a store, or the email of a tester.' }),
        since: Type.String({ format: 'date-time' }),
      }),
      { description: 'Distributions that wait for tests, at most 1,000.' },
    ),
  },
  { $id: 'ReleaseGate' },
);

export const releaseGate_get = endpoint({
  ...common,
  id: 'releaseGate_get',
  method: 'GET',
  path,
  summary: 'Check whether releases with failed tests are blocked',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Gate, { description: 'The setting (default: off).' }),
});

export const releaseGate_set = endpoint({
  ...common,
  id: 'releaseGate_set',
  method: 'PUT',
  path,
  summary: 'Set whether releases with failed tests are blocked',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object(setting)),
  response: json(Gate, {
    description: 'The setting. Existing distributions stay. If it is turned off, waiting distributions continue.',
  }),
});
