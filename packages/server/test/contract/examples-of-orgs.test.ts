import { endpoints } from '@mooring/contract';
import { eachDatabase } from '../harness/databases.ts';
import { runExamples } from './run-examples.ts';

eachDatabase('examples of what belongs to an organization', (dialect) =>
  runExamples(
    dialect,
    endpoints.filter(({ access }) => access.startsWith('org:')),
  ),
);
