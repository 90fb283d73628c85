import type { Db } from '../../../db/open.ts';
import { isAmong } from '../../../db/portable.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { insertInto, query, statement, type TestFilesTable, type TestRunFilesTable } from '../device-tests.tables.ts';

export type TestFileRow = TestFilesTable;
export type RunFileRow = TestRunFilesTable;

export const insertTestFile = insertInto('test_files');

interface FileQuery {
  ownerId: string;
  appId: string;
  /** JSON. */
  checksums: string;
  now: number;
}

/** Files of the app with one of these checksums. Updates their time of use, which protects them from being deleted. */
export const useFiles = statement((q, p: FileQuery, dialect) =>
  q
    .updateTable('test_files')
    .set({ used_at: p.now })
    .where('owner_id', '=', p.ownerId)
    .where((e) => e.or([isAmong(dialect, 'sha256', p.checksums), isAmong(dialect, 'sha1', p.checksums)]))
    .where('is_dropped', '=', 0)
    .where((e) =>
      e.exists(
        e
          .selectFrom('test_run_files')
          .innerJoin('test_runs', 'test_runs.id', 'test_run_files.run_id')
          .select('test_run_files.run_id')
          .whereRef('test_run_files.file_id', '=', 'test_files.id')
          .where('test_runs.app_id', '=', p.appId),
      ),
    )
    .returning(['id', 'sha256', 'sha1']),
);

export const saveRunFiles = (db: Db, rows: readonly RunFileRow[]) =>
  inChunks(rows, (some) =>
    query(db, (q) =>
      q
        .insertInto('test_run_files')
        .values(some)
        .onConflict((c) =>
          c.columns(['run_id', 'type', 'path']).doUpdateSet((e) => ({
            checksum: e.ref('excluded.checksum'),
            file_id: e.ref('excluded.file_id'),
          })),
        ),
    ),
  );

export const countRunFiles = statement((q, p: { runId: string }) =>
  q
    .selectFrom('test_run_files')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('run_id', '=', p.runId),
);

/** Sets the uploaded file for all entries with one of its checksums. */
export const fillRunFiles = statement((q, p: { runId: string; sha256: string; sha1: string; fileId: string }) =>
  q
    .updateTable('test_run_files')
    .set({ file_id: p.fileId })
    .where('run_id', '=', p.runId)
    .where((e) => e.or([e('checksum', '=', p.sha256), e('checksum', '=', p.sha1)])),
);

export const listRunFiles = statement((q, p: { runId: string }) =>
  q
    .selectFrom('test_run_files')
    .leftJoin('test_files', 'test_files.id', 'test_run_files.file_id')
    .select([
      'test_run_files.type',
      'test_run_files.path',
      'test_run_files.checksum',
      'test_run_files.file_id',
      'test_files.sha256',
      'test_files.size',
      'test_files.blob_key',
    ])
    .where('test_run_files.run_id', '=', p.runId)
    .orderBy('test_run_files.path'),
);

export const copyRunFiles = statement((q, p: { from: string; to: string }) =>
  q
    .insertInto('test_run_files')
    .columns(['run_id', 'type', 'path', 'checksum', 'file_id'])
    .expression((e) =>
      e
        .selectFrom('test_run_files')
        .select((e) => [e.val(p.to).as('run_id'), 'type', 'path', 'checksum', 'file_id'])
        .where('run_id', '=', p.from),
    ),
);

/** Without the tested package. */
export const copySuite = statement((q, p: { from: string; to: string }) =>
  q
    .insertInto('test_run_files')
    .columns(['run_id', 'type', 'path', 'checksum', 'file_id'])
    .expression((e) =>
      e
        .selectFrom('test_run_files')
        .select((e) => [e.val(p.to).as('run_id'), 'type', 'path', 'checksum', 'file_id'])
        .where('run_id', '=', p.from)
        .where('type', '!=', 'app-file'),
    ),
);

/** Marks files that no run has used for a day. Runs can't refer to them afterwards. */
export const dropUnusedFiles = statement((q, p: { before: number }) =>
  q
    .updateTable('test_files')
    .set({ is_dropped: 1 })
    .where('used_at', '<', p.before)
    .where('is_dropped', '=', 0)
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom('test_run_files').select('run_id').whereRef('test_run_files.file_id', '=', 'test_files.id'),
        ),
      ),
    ),
);

export const listDroppedFiles = statement((q, p: { limit: number }) =>
  q.selectFrom('test_files').select(['id', 'blob_key']).where('is_dropped', '=', 1).limit(p.limit),
);

export const deleteTestFile = statement((q, p: { id: string }) => q.deleteFrom('test_files').where('id', '=', p.id));

/** Files of the apps' runs, each counted once; a file of several apps counts for the first. */
export const sumTestFileSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom(
      q
        .selectFrom('test_files')
        .innerJoin('test_run_files', 'test_run_files.file_id', 'test_files.id')
        .innerJoin('test_runs', 'test_runs.id', 'test_run_files.run_id')
        .select((e) => ['test_files.size', e.fn.min('test_runs.app_id').as('app_id')])
        .where(isAmong(dialect, 'test_runs.app_id', p.appIds))
        .groupBy(['test_files.id', 'test_files.size'])
        .as('files'),
    )
    .select((e) => ['app_id', e.fn.sum<number>('size').as('sum')])
    .groupBy('app_id'),
);
