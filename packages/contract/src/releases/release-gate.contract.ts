import { endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/release_gate';
const setting = {
  hold_failed: Type.Boolean({
    description:
      'A release whose newest test run did not pass is given to nobody; while it runs, whoever gets the release waits, and gets it when the tests have passed. What was never tested is not held.',
  }),
};
const Gate = Type.Object(
  {
    ...setting,
    waiting: Type.Array(
      Type.Object({
        release_id: Type.Integer(),
        destination_type: Type.Enum(['group', 'tester', 'store']),
        destination: Type.String({ description: 'The id of a group or a store, or the e-mail of a tester.' }),
        since: Type.String({ format: 'date-time' }),
      }),
      { description: 'What was given and waits for its tests; at most 1,000.' },
    ),
  },
  { $id: 'ReleaseGate' },
);

export const releaseGate_get = endpoint({
  ...common,
  id: 'releaseGate_get',
  method: 'GET',
  path,
  summary: 'Tells whether releases whose tests failed are held back',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Gate, { description: 'Off until somebody sets it.' }),
});

export const releaseGate_set = endpoint({
  ...common,
  id: 'releaseGate_set',
  method: 'PUT',
  path,
  summary: 'Says whether releases whose tests failed are held back',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object(setting)),
  response: json(Gate, {
    description:
      'As it is from now on; what was given before stays given, and what waited goes if nothing is held any more.',
  }),
});
