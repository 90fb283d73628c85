import { endpoints } from '@mooring/contract';
import { eachDatabase } from '../harness/services/databases.ts';
import { runExamples } from './run-examples.ts';

eachDatabase('examples about an organization', (dialect) =>
  runExamples(
    dialect,
    endpoints.filter(({ access }) => access.startsWith('org:')),
  ),
);
