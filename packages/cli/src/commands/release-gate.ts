import { type OutputOf, releaseGate_get, releaseGate_set } from '@mooring/contract';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const columns: Column<OutputOf<typeof releaseGate_get>>[] = [
  { header: 'HOLD FAILED', value: ({ hold_failed }) => hold_failed },
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
    endpoint: releaseGate_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'releases gate set',
    endpoint: releaseGate_set,
    arguments: { app, hold: { summary: 'Whether they are held back', choices: ['on', 'off'] } },
    input: ({ args }) => ({ params: readApp(args.app), body: { hold_failed: args.hold === 'on' } }),
    columns,
  }),
];
