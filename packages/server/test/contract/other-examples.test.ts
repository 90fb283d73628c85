import { endpoints } from '@mooring/contract';
import { eachDatabase } from '../harness/services/databases.ts';
import { runExamples } from './run-examples.ts';

eachDatabase('all other examples', (dialect) =>
  runExamples(
    dialect,
    endpoints.filter(({ access }) => !/^(app|org):/.test(access)),
  ),
);
