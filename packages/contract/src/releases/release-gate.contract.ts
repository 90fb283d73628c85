import { Type } from 'typebox';
import { endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';

const common = { tag: 'releases', errorShape: 'flat', errors: [404] } as const;
const path = '/v0.1/apps/{owner_name}/{app_name}/release_gate';
const Gate = Type.Object(
  {
    hold_failed: Type.Boolean({
      description:
        'A release whose newest test run did not pass, or has not finished, is given to nobody. What was never tested is not held.',
    }),
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
  request: json(Gate),
  response: json(Gate, { description: 'As it is from now on; what was given before stays given.' }),
});
