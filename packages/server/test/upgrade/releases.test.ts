import { expect, test } from 'vitest';
import { eachDatabase } from '../harness/services/databases.ts';
import { listRows, upgraded, user } from './upgraded-database.ts';

const job = (id: string): string =>
  `insert into runner_jobs (id, app_id, kind, needs, work, state, attempts, is_cancelled, log_size, created_at)
    values ('${id}', 'app', 'build', '{}', '{}', 'ended', 1, 0, 0, 1)`;

const file = (jobId: string, sha256: string): string =>
  `insert into runner_job_files (id, job_id, kind, name, blob_key, size, sha256)
    values ('${jobId}', '${jobId}', 'build', 'app.apk', 'key', 1, '${sha256}')`;

const build = (id: number, jobId: string): string =>
  `insert into builds (app_id, id, branch, commit_sha, reason, status, result, job_id, queued_at, changed_at)
    values ('app', ${id}, 'main', 'abc', 'manual', 'completed', 'succeeded', '${jobId}', 1, 1)`;

const release = (id: number, sha256: string): string =>
  `insert into releases (app_id, id, version, short_version, kind, file_name, size, sha256, blob_key, hashes, facts,
      is_enabled, uploaded_at)
    values ('app', ${id}, '1', '1.0', 'apk', 'app.apk', 1, '${sha256}', 'key', '[]', '{}', 1, 1)`;

eachDatabase('releases from before they were linked to builds', (dialect) => {
  test('are linked to the newest build of the same package, while its file exists', async () => {
    const database = await upgraded(dialect, '0151-sentry-items', [
      ...user('ada'),
      `insert into apps (id, owner_id, name, name_key, created_at) values ('app', 'ada', 'compass', 'compass', 1)`,
      ...['one', 'two', 'three'].map(job),
      ...[file('one', 'same'), file('two', 'same'), file('three', 'other')],
      ...[build(1, 'one'), build(2, 'two'), build(3, 'three')],
      ...[release(1, 'same'), release(2, 'unknown'), release(3, 'other')],
    ]);
    const rows = await listRows(database, 'package_releases', 'release_id');
    expect(rows.map((row) => [Number(row.release_id), Number(row.build_id)])).toEqual([
      [1, 2],
      [3, 3],
    ]);
  });
});
