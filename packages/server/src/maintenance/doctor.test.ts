import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startSmtp } from '../../../../test-support/smtp.ts';
import { freshDatabase } from '../../test/harness/services/databases.ts';
import { openDatabase } from '../db/open.ts';
import { localCertificate } from '../http/network/tls.ts';
import { DAY, HOUR } from '../kernel/clock.ts';
import { tlsFolder } from '../kernel/crypto/certificate-files.ts';
import { settings } from '../settings.ts';
import { examineServer } from './doctor.ts';
import type { Finding } from './findings.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

const anyPorts = { MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' };

/** Findings of one check with these settings. */
async function runCheck(check: string, env: Record<string, string> = {}): Promise<Finding[]> {
  const all = await examineServer(settings, { MOORING_DATA_DIR: dataDir, ...anyPorts, ...env });
  return all.filter((finding) => finding.check === check);
}

const saying = (state: Finding['state'], message: RegExp) =>
  expect.objectContaining({ state, message: expect.stringMatching(message) });
const expectFinding = (state: Finding['state'], message: RegExp, remedy: RegExp) =>
  expect.objectContaining({ state, message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) });

async function useSqlite(): Promise<void> {
  const { location, remove } = await freshDatabase('sqlite');
  copyFileSync(location, path.join(dataDir, 'mooring.db'));
  await remove();
}

async function usePostgres(): Promise<Record<string, string>> {
  const { location, remove } = await freshDatabase('postgres');
  onTestFinished(remove);
  return { MOORING_DATABASE_URL: location };
}

async function listener(): Promise<number> {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

it('finds no problems before the first start, and creates nothing', async () => {
  rmSync(dataDir, { recursive: true });
  const all = await examineServer(settings, { MOORING_DATA_DIR: dataDir, ...anyPorts });
  expect(all.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(new Set(all.map(({ check }) => check))).toEqual(
    new Set([
      'settings',
      'data folder',
      'disk',
      'database',
      'blob store',
      'certificate',
      'telemetry',
      'mail',
      'ports',
      'programs',
      'built-in runner',
    ]),
  );
  expect(() => chmodSync(dataDir, 0o700)).toThrow(/ENOENT/);
});

it('reports all invalid and misspelled settings together', async () => {
  const all = await examineServer(settings, { MOORING_HTTP_PORT: 'x', MOORING_LOG_LEVEL: 'y', MOORING_HOTS: 'z' });
  expect(all).toEqual([
    expectFinding('warn', /MOORING_HOTS/, /spelling/),
    expectFinding('fail', /MOORING_LOG_LEVEL must be/, /configuration/),
    expectFinding('fail', /MOORING_HTTP_PORT must be/, /configuration/),
  ]);
});

describe('the data folder', () => {
  it('must be private', async () => {
    expect(await runCheck('data folder')).toEqual([saying('ok', /other users can't read/)]);
    chmodSync(dataDir, 0o755);
    writeFileSync(path.join(dataDir, 'mooring.db'), '', { mode: 0o644 });
    expect(await runCheck('data folder')).toEqual([
      expectFinding('warn', /can read/, /chmod go-rwx/),
      expectFinding('warn', /mooring\.db/, /chmod go-rwx/),
    ]);
  });

  it('must be a folder', async () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await runCheck('data folder', { MOORING_DATA_DIR: file })).toEqual([
      expectFinding('fail', /not a folder/, /DATA_DIR/),
    ]);
  });
});

describe('the database', () => {
  it('is intact on SQLite, and its clock is right', async () => {
    await useSqlite();
    expect(await runCheck('database')).toEqual([saying('ok', /SQLite 3.* intact/)]);
    expect(await runCheck('clock')).toEqual([saying('ok', /agrees/)]);
  });

  it('is intact on PostgreSQL, and its clock is right', async () => {
    const env = await usePostgres();
    expect(await runCheck('database', env)).toEqual([saying('ok', /PostgreSQL \d+.* intact/)]);
    expect(await runCheck('clock', env)).toEqual([saying('ok', /agrees/)]);
  });

  it('is reported if the file is no database', async () => {
    writeFileSync(path.join(dataDir, 'mooring.db'), 'this is not a database, although it has its name');
    expect(await runCheck('database')).toEqual([expectFinding('fail', /not a database/, /mooring\.db/)]);
  });

  it('is reported with its setting if it does not respond', async () => {
    const env = { MOORING_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
    expect(await runCheck('database', env)).toEqual([expectFinding('fail', /ECONNREFUSED/, /MOORING_DATABASE_URL/)]);
  });

  it('is reported if it lacks migrations or has newer ones', async () => {
    await useSqlite();
    const file = path.join(dataDir, 'mooring.db');
    const database = openDatabase({ location: file });
    const last = (await database.appliedMigrations()).at(-1) ?? '';
    const rename = CompiledQuery.raw(`UPDATE migrations SET name = '9999-future' WHERE name = '${last}'`);
    await database.transaction((db) => db.query(() => ({ compile: () => rename })));
    await database.close();
    expect(await runCheck('database')).toEqual([
      expectFinding('fail', /newer version.*9999-future/, /that version/),
      expectFinding('warn', new RegExp(`Migrations to apply: ${last}`), /backup/),
      saying('ok', /intact/),
    ]);
  });

  it('is reported if it has changes from the future', async () => {
    await useSqlite();
    const database = openDatabase({ location: path.join(dataDir, 'mooring.db') });
    const event = { id: 'x', at: Date.now() + HOUR, action: 'app.create', actor_kind: 'system' } as const;
    await database.transaction((db) =>
      db.query((q) => q.insertInto('audit_events').values({ ...event, subject_kind: 'app', subject_id: 'x' } as never)),
    );
    await database.close();
    expect(await runCheck('clock')).toEqual([expectFinding('warn', /in the future/, /clock/)]);
  });
});

it('reports the number of dead letters, and the latest error', async () => {
  await useSqlite();
  expect(await runCheck('jobs')).toEqual([saying('ok', /No dead letters/)]);
  const database = openDatabase({ location: path.join(dataDir, 'mooring.db') });
  const job = { payload: '{}', attempts: 8, created_at: 1, due_at: null, lease: null };
  const jobs = [
    { id: 'a', name: 'mail.send', last_error: 'no such host', failed_at: 1, ...job },
    { id: 'b', name: 'analytics_days.rebuild', last_error: 'Telemetry of 2026-11-01 is lost', failed_at: 2, ...job },
    { id: 'c', name: 'mail.send', last_error: 'not yet', failed_at: null, ...job },
  ];
  await database.transaction((db) => db.query((q) => q.insertInto('jobs').values(jobs as never)));
  await database.close();
  expect(await runCheck('jobs')).toEqual([
    expectFinding('warn', /2 dead letters; .*days\.rebuild: Telemetry of .* is lost/, /again/),
  ]);
});

describe('the certificate', () => {
  const hosts = ['localhost'];

  it('is valid until it is old', async () => {
    await localCertificate(dataDir, hosts, Date.now());
    expect(await runCheck('certificate')).toEqual([saying('ok', /valid for \d+ days/)]);
  });

  it('is reported if it has expired or will soon', async () => {
    await localCertificate(dataDir, hosts, Date.now() - 80 * DAY);
    expect(await runCheck('certificate')).toEqual([saying('warn', /expires in \d+ days/)]);
    rmSync(path.join(dataDir, 'tls'), { recursive: true });
    await localCertificate(dataDir, hosts, Date.now() - 100 * DAY);
    expect(await runCheck('certificate')).toEqual([expectFinding('fail', /expired on/, /restart/)]);
  });

  it('must match its key and the public URL', async () => {
    const other = path.join(dataDir, 'other');
    mkdirSync(other);
    await localCertificate(dataDir, hosts, Date.now());
    await localCertificate(other, hosts, Date.now());
    const env = {
      MOORING_TLS_CERT_FILE: tlsFolder(dataDir).certFile,
      MOORING_TLS_KEY_FILE: tlsFolder(other).keyFile,
      MOORING_PUBLIC_URL: 'https://mooring.example.com',
    };
    expect(await runCheck('certificate', env)).toEqual([
      expectFinding('fail', /is not the key/, /same pair/),
      expectFinding('warn', /does not cover mooring\.example\.com/, /proxy/),
    ]);
  });
});

describe('mail', () => {
  it('is checked without sending an email', async () => {
    const smtp = await startSmtp();
    onTestFinished(() => smtp.stop());
    expect(await runCheck('mail', { MOORING_SMTP_URL: smtp.url, MOORING_SMTP_TLS: 'optional' })).toEqual([
      saying('ok', /accepts emails/),
    ]);
    expect(smtp.received).toEqual([]);
  });

  it('is reported without the password if it fails', async () => {
    const env = { MOORING_SMTP_URL: 'smtp://ada:secret-word@127.0.0.1:1' };
    const [finding] = await runCheck('mail', env);
    expect(finding).toEqual(expectFinding('fail', /127\.0\.0\.1:1 .*ECONNREFUSED/, /MOORING_SMTP_URL/));
    expect(JSON.stringify(finding)).not.toContain('secret-word');
  });
});

describe('ports', () => {
  it('are reported with the setting if another program uses them', async () => {
    const port = String(await listener());
    expect(await runCheck('ports', { MOORING_HTTP_PORT: port, MOORING_HTTPS_PORT: '0' })).toEqual([
      expectFinding('fail', /Another program/, /MOORING_HTTP_PORT/),
      saying('ok', /any free port/),
    ]);
    const [, https] = await runCheck('ports', { MOORING_HTTPS_PORT: port });
    expect(https).toEqual(expectFinding('fail', /Another program/, /MOORING_HTTPS_PORT/));
  });

  it('are reported if the IP address belongs to another machine', async () => {
    const [http] = await runCheck('ports', { MOORING_HTTP_HOST: '192.0.2.1', MOORING_HTTP_PORT: '8080' });
    expect(http).toEqual(saying('fail', /cannot listen on 192\.0\.2\.1:8080/));
  });
});

it('checks ClickHouse if configured and does not print its password', async () => {
  expect(await runCheck('telemetry')).toEqual([saying('ok', /runs telemetry queries itself/)]);
  const found = await runCheck('telemetry', { MOORING_TELEMETRY_URL: 'http://ann:hidden@127.0.0.1:1/' });
  expect(found).toEqual([
    expectFinding('fail', /127\.0\.0\.1:1 does not respond: ECONNREFUSED/, /MOORING_TELEMETRY_URL/),
  ]);
  expect(JSON.stringify(found)).not.toContain('hidden');
});

it('reports a replica that is down while another serves, and a shard without any replica', async () => {
  const well = createHttpServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(well, 'listening');
  onTestFinished(() => void well.close());
  const address = `http://127.0.0.1:${(well.address() as AddressInfo).port}/`;
  const away = 'http://ann:hidden@127.0.0.1:1/';
  expect(await runCheck('telemetry', { MOORING_TELEMETRY_URL: `${address},${away}` })).toEqual([
    saying('ok', /is reachable/),
    expectFinding('warn', /127\.0\.0\.1:1 does not respond: ECONNREFUSED; another replica takes over/, /remove it/),
  ]);
  const found = await runCheck('telemetry', { MOORING_TELEMETRY_URL: `${address} ${away}` });
  expect(found).toEqual([
    expectFinding('fail', /127\.0\.0\.1:1 does not respond: ECONNREFUSED/, /MOORING_TELEMETRY_URL/),
  ]);
});

it('checks the blob store', async () => {
  expect(await runCheck('blob store')).toEqual([saying('ok', /Writing and deleting/)]);
  writeFileSync(path.join(dataDir, 'wrong'), '');
  rmSync(path.join(dataDir, 'blobs'), { recursive: true });
  writeFileSync(path.join(dataDir, 'blobs'), 'a file where the folder should be');
  expect(await runCheck('blob store')).toEqual([expectFinding('fail', /Can't store files/, /blobs/)]);
});

describe('the built-in runner', () => {
  const isRoot = process.getuid?.() === 0;
  const on = (more: Record<string, string> = {}) => ({
    MOORING_BUILT_IN_RUNNER: 'host',
    MOORING_BUILT_IN_RUNNER_DIR: path.join(dataDir, 'runner'),
    MOORING_BUILT_IN_RUNNER_USER: '65534',
    ...more,
  });

  it("can't start as the server's user without a sandbox, or as an unknown user", async () => {
    const own = on({ MOORING_BUILT_IN_RUNNER_USER: String(process.getuid?.()) });
    expect(await runCheck('built-in runner', own)).toEqual([
      expectFinding('fail', /could read all files of the server/, /USER/),
    ]);
    const other = on({ MOORING_BUILT_IN_RUNNER_USER: 'no-such-user' });
    expect(await runCheck('built-in runner', other)).toEqual([
      expectFinding('fail', /no user no-such-user/, /useradd/),
    ]);
  });

  it.runIf(isRoot)('is reported as polling, silent or removed', async () => {
    await useSqlite();
    expect(await runCheck('built-in runner', on())).toEqual([
      saying('ok', /the next start of the server registers it/),
    ]);
    mkdirSync(path.join(dataDir, 'runner'));
    writeFileSync(path.join(dataDir, 'runner', 'runner.json'), JSON.stringify({ id: 'r-1', name: 'built-in, box' }));
    expect(await runCheck('built-in runner', on())).toEqual([
      expectFinding('warn', /built-in, box was removed/, /Restart/),
    ]);
    const database = openDatabase({ location: path.join(dataDir, 'mooring.db'), poolSize: 1 });
    onTestFinished(() => database.close());
    const write = (sql: string) =>
      database.transaction((db) => db.query(() => ({ compile: () => CompiledQuery.raw(sql) })));
    const columns = 'id, name, token_hash, labels, tools, devices, slots, created_at, last_seen_at';
    await write(`INSERT INTO runners (${columns}) VALUES ('r-1', 'box', 'x', '[]', '[]', '[]', 1, 0, ${Date.now()})`);
    expect(await runCheck('built-in runner', on())).toEqual([saying('ok', /built-in, box polled \d+ s ago/)]);
    await write(`UPDATE runners SET last_seen_at = ${Date.now() - 2 * 60_000}`);
    expect(await runCheck('built-in runner', on())).toEqual([
      expectFinding('warn', /has not polled recently/, /running/),
    ]);
  });
});
