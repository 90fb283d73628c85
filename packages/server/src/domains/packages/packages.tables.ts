import { accessTo } from '../../db/statement.ts';
import { defineTables, defineViews } from '../../db/tables.ts';

/** The package of a test run, with its release and build, if known. */
export interface PackageTestsTable {
  run_id: string;
  app_id: string;
  sha256: string | null;
  release_id: number | null;
  build_id: number | null;
  result: string;
}

/** The build that made the package of a release. */
export interface PackageReleasesTable {
  app_id: string;
  release_id: number;
  build_id: number;
}

export const packagesTables = defineTables<{
  package_tests: PackageTestsTable;
  package_releases: PackageReleasesTable;
}>({
  package_tests: {},
  package_releases: {},
});

/** Published for the stores of other domains. */
export const packagesViews = defineViews<{
  /** Release and build that each test run tested. */
  tested_packages: Pick<PackageTestsTable, 'run_id' | 'app_id' | 'release_id' | 'build_id'>;
}>();

export const { insertInto, statement } = accessTo(packagesTables);
