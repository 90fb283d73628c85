import { endpoints } from '@mooring/contract';
import { eachDatabase } from '../harness/databases.ts';
import { runExamples } from './run-examples.ts';

eachDatabase('examples of everything else', (dialect) =>
  runExamples(
    dialect,
    endpoints.filter(({ access }) => !/^(app|org):/.test(access)),
  ),
);
