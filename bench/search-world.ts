import { DatabaseSync } from 'node:sqlite';
import { isPostgres } from '../packages/server/src/db/open.ts';
import { mintToken } from '../packages/server/src/domains/tokens/token-value.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';
import { runSql } from '../tools/postgres.ts';
import { seedHealth } from './health-seed.ts';
import { migrated } from './seed.ts';

/** Numbers of as many digits each, so that a longer one is found once. */
const FIRST = 100_000;
/** How often events are copied: to make them is what takes long. */
const COPIES = 10;

const org = '00000000-0000-7000-8000-000000000001';
const everything = '00000000-0000-7000-8000-000000000002';
const few = '00000000-0000-7000-8000-000000000003';

/** What is asked for: all that there is begins with the last of these. */
export const termsFor = (count: number) => ({
  nothing: 'zyxwv',
  'one of each kind': String(FIRST + count - 3),
  'some hundreds of each kind': String(FIRST + count - 3).slice(2, 5),
  'all there is': 's',
});

/** Of a kind and number; numbers of one kind follow each other in time, and lie scattered over the apps. */
const id = (kind: string, number = 'k') => `'${kind}0000000-0000-7000-8000-000000' || ${number}`;

function tablesOf(count: number): string {
  const from = `FROM (WITH RECURSIVE series (k) AS (SELECT ${FIRST} UNION ALL SELECT k + 1 FROM series WHERE k < ${FIRST + count - 1})
    SELECT k, ${FIRST} + (k * 7919) % ${count} AS app FROM series) AS numbered`;
  const app = id('a', 'app');
  const owner = (id: string, kind: string, name: string) =>
    `INSERT INTO owners (id, kind, name, name_key, display_name, display_name_key, created_at, updated_at)
     VALUES ('${id}', '${kind}', '${name}', '${name}', '${name}', '${name}', 1, 1);`;
  const user = (id: string, name: string) => `${owner(id, 'user', name)}
    INSERT INTO users (id, email, email_key, password_hash, is_admin, is_disabled, is_email_verified)
    VALUES ('${id}', '${name}@example.com', '${name}@example.com', '', 0, 0, 1);`;
  return `
    ${owner(org, 'org', 'shipyard')}
    ${user(everything, 'somebody')}
    ${user(few, 'some-other')}
    INSERT INTO org_members (org_id, user_id, role, joined_at) VALUES ('${org}', '${everything}', 'admin', 1);
    INSERT INTO owners (id, kind, name, name_key, display_name, display_name_key, created_at, updated_at)
      SELECT ${id('b')}, 'user', 'sailor-' || k, 'sailor-' || k, 'Sailor ' || k, 'sailor ' || k, 1, 1 ${from};
    INSERT INTO users (id, email, email_key, password_hash, is_admin, is_disabled, is_email_verified)
      SELECT ${id('b')}, 's.' || k || '@example.com', 's.' || k || '@example.com', '', 0, 0, 1 ${from};
    INSERT INTO org_members (org_id, user_id, role, joined_at) SELECT '${org}', ${id('b')}, 'member', 1 ${from};
    INSERT INTO apps (id, owner_id, name, name_key, display_name, display_name_key, os, platform, app_secret, created_at, updated_at)
      SELECT ${id('a')}, '${org}', 'ship-' || k, 'ship-' || k, 'Ship ' || k, 'ship ' || k, 'Android', 'Java', ${id('c')}, 1, 1 ${from};
    INSERT INTO app_members (app_id, user_id, permission)
      SELECT ${id('a')}, '${few}', 'viewer' ${from} WHERE k % ${Math.ceil(count / 3)} = 0;
    INSERT INTO releases (app_id, id, version, short_version, kind, file_name, size, sha256, blob_key, hashes, facts, notes, is_enabled, uploaded_at)
      SELECT ${app}, 1, k || '', 's1.' || k, 'apk', 'ship.apk', 31457280, ${id('d')}, 'bench/' || k, '[]', '{}',
        'Notes of quite usual length, as people write them for a release.', 1, k ${from};
    INSERT INTO crash_issues (app_id, id, number, kind, state, annotation, group_id, first_version, last_version, count, device_count, first_at, last_at)
      SELECT ${app}, ${id('e')}, 1, 'crash', 'open', '', ${id('f')}, '1.0', '1.0', 1, 1, k, k ${from};
    INSERT INTO crash_groups (app_id, id, number, issue_id, key, kind, version, build, state, annotation, exception_type,
        message, class_name, method, file, line, frame, search_key, count, device_count, first_at, last_at, last_report_id)
      SELECT ${app}, ${id('f')}, 1, ${id('e')}, 'key', 'crash', '1.0', '1', 'open', '', 'com.example.ShipException' || k,
        'The mast is too high for the bridge', 'com.example.Ship', 'sail', 'Ship.java', 17, '{}',
        'shipexception' || k || ' the mast is too high for the bridge com.example.ship sail ship.java', 1, 1, k, k, '' ${from};
    INSERT INTO builds (app_id, id, branch, commit_sha, reason, status, result, priority, job_id, queued_at, changed_at)
      SELECT ${app}, 1, 'ship/' || k, '0123456789abcdef0123456789abcdef00' || k, 'push', 'completed', 'succeeded', 0, ${id('9')}, k, k ${from};
    INSERT INTO build_commits (app_id, sha, message, author_name, author_email, authored_at)
      SELECT ${app}, '0123456789abcdef0123456789abcdef00' || k, 'Sails are set before the mast, as they have to be', 'Ada', 'ada@example.com', '2026-01-01T00:00:00Z' ${from};`;
}

/**
 * A migrated database with so many apps, people, releases, issues, builds and health events; returns the tokens of somebody
 * who sees all of them, as the apps and people are of one organization, and of somebody who sees three apps.
 */
export async function seedSearch(location: string, count: number): Promise<{ everything: string; few: string }> {
  await seedHealth(location, count / COPIES, COPIES);
  if (isPostgres(location)) await runSql(location, tablesOf(count));
  else {
    const file = new DatabaseSync(location);
    file.exec(`PRAGMA cache_size = -262144; BEGIN; ${tablesOf(count)} COMMIT`);
    file.close();
  }
  const database = await migrated(location);
  const tokenOf = async (userId: string) => {
    const { value, hash, lastFour } = mintToken('user');
    const times = { created_at: 1, expires_at: null, last_used_at: null };
    const token = { hash, id: newId(), app_id: null, created_by: userId, description: null, last_four: lastFour };
    await database.transaction(({ query }) =>
      query((q) => q.insertInto('api_tokens').values({ ...token, scope: 'all', ...times })),
    );
    return value;
  };
  const tokens = { everything: await tokenOf(everything), few: await tokenOf(few) };
  await database.close();
  if (isPostgres(location)) await runSql(location, 'VACUUM ANALYZE');
  return tokens;
}
