import { defineDomain } from '../../domain.ts';
import { packageEvents } from './packages.events.ts';
import { packagesTables } from './packages.tables.ts';

export { findBuildByRelease, linkReleaseBuild, listReleasesByBuild } from './package-releases.ts';
export {
  beginPackageTest,
  deletePackageTest,
  endPackageTest,
  findTestedPackage,
  findVerdict,
  linkPackageBuild,
  linkPackageRelease,
  repeatPackageTest,
  unlinkTestedRelease,
} from './package-tests.ts';
export {
  mappingMade,
  packageMade,
  packageReleased,
  packageTestEnded,
  packageTested,
  packageToTest,
} from './packages.events.ts';

export const packages = defineDomain({ tables: packagesTables, events: packageEvents });
