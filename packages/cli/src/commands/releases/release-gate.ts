import { type EndpointOutput, releaseGate_get, releaseGate_set } from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const columns: Column<EndpointOutput<typeof releaseGate_get>>[] = [
  { header: 'BLOCKS FAILED', value: ({ hold_failed }) => hold_failed },
  {
    header: 'WAITING',
    value: ({ waiting }) =>
      waiting
        .map(({ release_id, destination_type, destination }) => `${release_id} for ${destination_type} ${destination}`)
        .join(', '),
  },
];

export const releaseGateCommands = [
  operation({
    name: 'releases gate show',
    summary: 'Show the release gate, and releases that are waiting for tests',
    endpoint: releaseGate_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'releases gate set',
    summary: 'Turn the release gate on or off: while it is on, failed tests block the distribution of a release',
    endpoint: releaseGate_set,
    arguments: { app, state: { summary: 'State of the gate', choices: ['on', 'off'] } },
    input: ({ args }) => ({ params: readApp(args.app), body: { hold_failed: args.state === 'on' } }),
    columns,
  }),
];
