// Writes the documents that are generated from the tables of the suites with real clients. Run by `npm run generate`.
import { writeGeneratedFiles } from '../../tools/generated-files.ts';
import { appcenterCli, armResourceHealth } from './clients.ts';
import { migrating } from './migrating.ts';

const areFresh = writeGeneratedFiles({
  'docs/migrating.md': migrating,
  'acceptance/clients/appcenter-cli/README.md': appcenterCli,
  'acceptance/clients/arm-resourcehealth/README.md': armResourceHealth,
});
process.exit(areFresh ? 0 : 1);
