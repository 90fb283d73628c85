import { defineDomain } from '../../domain.ts';
import { packageEvents } from './packages.events.ts';
import { packagesTables } from './packages.tables.ts';

export {
  beginPackageTest,
  deletePackageTest,
  endPackageTest,
  findVerdict,
  linkPackageBuild,
  linkPackageRelease,
  repeatPackageTest,
  unlinkTestedRelease,
} from './package-tests.ts';
export { mappingMade, packageMade, packageTestEnded, packageTested, packageToTest } from './packages.events.ts';

export const packages = defineDomain({ tables: packagesTables, events: packageEvents });
