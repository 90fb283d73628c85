import { statement } from './device-tests.tables.ts';

export const findRunAfter = statement((q, p: { appId: string; before: string }) =>
  q
    .selectFrom('test_runs')
    .select(['id', 'locale', 'parameters', 'sealed_parameters'])
    .where('app_id', '=', p.appId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(1),
);

/** Files of an app's runs, by ID. */
export const findFileAfter = statement((q, p: { appId: string; after: string }) =>
  q
    .selectFrom('test_run_files')
    .innerJoin('test_runs', 'test_runs.id', 'test_run_files.run_id')
    .innerJoin('test_files', 'test_files.id', 'test_run_files.file_id')
    .select(['test_run_files.path', 'test_run_files.run_id', 'test_files.id', 'test_files.blob_key'])
    .where('test_runs.app_id', '=', p.appId)
    .where('test_files.id', '>', p.after)
    .orderBy('test_files.id')
    .limit(1),
);

export const findAppFile = statement((q, p: { runId: string }) =>
  q
    .selectFrom('test_run_files')
    .innerJoin('test_files', 'test_files.id', 'test_run_files.file_id')
    .select(['test_run_files.path', 'test_files.id', 'test_files.blob_key'])
    .where('test_run_files.run_id', '=', p.runId)
    .where('test_run_files.type', '=', 'app-file')
    .limit(1),
);
