import { insertInto, type PackageTestsTable, statement } from './packages.tables.ts';

export type PackageTestRow = PackageTestsTable;

export const insertPackageTest = insertInto('package_tests');

export const copyPackageTestRow = statement((q, p: { from: string; to: string }) =>
  q
    .insertInto('package_tests')
    .columns(['run_id', 'app_id', 'sha256', 'release_id', 'build_id', 'result'])
    .expression((e) =>
      e
        .selectFrom('package_tests')
        .select((e) => [
          e.val(p.to).as('run_id'),
          'app_id',
          'sha256',
          'release_id',
          'build_id',
          e.val('pending').as('result'),
        ])
        .where('run_id', '=', p.from),
    ),
);

export const setPackageResult = statement((q, p: { runId: string; result: string }) =>
  q
    .updateTable('package_tests')
    .set({ result: p.result })
    .where('run_id', '=', p.runId)
    .returning(['app_id', 'build_id']),
);

export const nameRelease = statement((q, p: { appId: string; sha256: string; releaseId: number }) =>
  q
    .updateTable('package_tests')
    .set({ release_id: p.releaseId })
    .where('app_id', '=', p.appId)
    .where('sha256', '=', p.sha256),
);

export const nameBuild = statement((q, p: { appId: string; sha256: string; buildId: number }) =>
  q
    .updateTable('package_tests')
    .set({ build_id: p.buildId })
    .where('app_id', '=', p.appId)
    .where('sha256', '=', p.sha256)
    .where('build_id', 'is', null),
);

export const clearReleaseRow = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .updateTable('package_tests')
    .set({ release_id: null })
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId),
);

/** Finds the newest test run of a package, by its checksum or by the named release; stopped runs do not count. */
export const findNewestTest = statement((q, p: { appId: string; sha256: string; releaseId: number }) =>
  q
    .selectFrom('package_tests')
    .select(['run_id', 'result'])
    .where('app_id', '=', p.appId)
    .where((e) => e.or([e('sha256', '=', p.sha256), e('release_id', '=', p.releaseId)]))
    .where('result', '!=', 'stopped')
    .orderBy('run_id', 'desc')
    .limit(1),
);

export const deletePackageTestRow = statement((q, p: { runId: string }) =>
  q.deleteFrom('package_tests').where('run_id', '=', p.runId),
);

export const findTestedRow = statement((q, p: { appId: string; runId: string }) =>
  q
    .selectFrom('package_tests')
    .select(['release_id', 'build_id'])
    .where('app_id', '=', p.appId)
    .where('run_id', '=', p.runId),
);
