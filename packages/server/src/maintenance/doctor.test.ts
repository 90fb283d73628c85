import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startSmtp } from '../../../../tools/smtp.ts';
import { freshDatabase } from '../../test/harness/databases.ts';
import { openDatabase } from '../db/open.ts';
import { localCertificate } from '../http/tls.ts';
import { tlsFolder } from '../kernel/certificate-files.ts';
import { DAY, HOUR } from '../kernel/clock.ts';
import { examineServer } from './doctor.ts';
import type { Finding } from './findings.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

const anyPorts = { MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' };

/** What one check says, with these settings. */
async function ask(check: string, env: Record<string, string> = {}): Promise<Finding[]> {
  const all = await examineServer({ MOORING_DATA_DIR: dataDir, ...anyPorts, ...env });
  return all.filter((finding) => finding.check === check);
}

const saying = (state: Finding['state'], message: RegExp) =>
  expect.objectContaining({ state, message: expect.stringMatching(message) });
const mended = (state: Finding['state'], message: RegExp, mend: RegExp) =>
  expect.objectContaining({ state, message: expect.stringMatching(message), mend: expect.stringMatching(mend) });

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

it('finds nothing wrong before the first start, and makes nothing', async () => {
  rmSync(dataDir, { recursive: true });
  const all = await examineServer({ MOORING_DATA_DIR: dataDir, ...anyPorts });
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

it('tells everything that is wrong with the settings at once, and what is misspelt', async () => {
  const all = await examineServer({ MOORING_HTTP_PORT: 'x', MOORING_LOG_LEVEL: 'y', MOORING_HOTS: 'z' });
  expect(all).toEqual([
    mended('warn', /MOORING_HOTS/, /misspelt/),
    mended('fail', /MOORING_LOG_LEVEL must be/, /configuration/),
    mended('fail', /MOORING_HTTP_PORT must be/, /configuration/),
  ]);
});

describe('the data folder', () => {
  it('should be its owner’s alone', async () => {
    expect(await ask('data folder')).toEqual([saying('ok', /nobody else/)]);
    chmodSync(dataDir, 0o755);
    writeFileSync(path.join(dataDir, 'mooring.db'), '', { mode: 0o644 });
    expect(await ask('data folder')).toEqual([
      mended('warn', /can read/, /chmod go-rwx/),
      mended('warn', /mooring\.db/, /chmod go-rwx/),
    ]);
  });

  it('must be a folder', async () => {
    const file = path.join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await ask('data folder', { MOORING_DATA_DIR: file })).toEqual([mended('fail', /not a folder/, /DATA_DIR/)]);
  });
});

describe('the database', () => {
  it('is sound on SQLite, and its clock is right', async () => {
    await useSqlite();
    expect(await ask('database')).toEqual([saying('ok', /SQLite 3.* sound/)]);
    expect(await ask('clock')).toEqual([saying('ok', /agrees/)]);
  });

  it('is sound on PostgreSQL, and its clock is right', async () => {
    const env = await usePostgres();
    expect(await ask('database', env)).toEqual([saying('ok', /PostgreSQL \d+.* sound/)]);
    expect(await ask('clock', env)).toEqual([saying('ok', /agrees/)]);
  });

  it('that is damaged, or none at all, is found out', async () => {
    writeFileSync(path.join(dataDir, 'mooring.db'), 'this is not a database, although it has its name');
    expect(await ask('database')).toEqual([mended('fail', /not a database/, /mooring\.db/)]);
  });

  it('that does not answer is named with its setting', async () => {
    const env = { MOORING_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
    expect(await ask('database', env)).toEqual([mended('fail', /ECONNREFUSED/, /MOORING_DATABASE_URL/)]);
  });

  it('that lacks migrations, or has newer ones, is told apart', async () => {
    await useSqlite();
    const file = path.join(dataDir, 'mooring.db');
    const database = openDatabase({ location: file });
    const last = (await database.appliedMigrations()).at(-1) ?? '';
    const rename = CompiledQuery.raw(`UPDATE migrations SET name = '9999-future' WHERE name = '${last}'`);
    await database.transaction((db) => db.query(() => ({ compile: () => rename })));
    await database.close();
    expect(await ask('database')).toEqual([
      mended('fail', /newer version.*9999-future/, /that version/),
      mended('warn', new RegExp(`lacks ${last}`), /backup/),
      saying('ok', /sound/),
    ]);
  });

  it('with changes from the future means that the clock has gone back', async () => {
    await useSqlite();
    const database = openDatabase({ location: path.join(dataDir, 'mooring.db') });
    const event = { id: 'x', at: Date.now() + HOUR, action: 'app.create', actor_kind: 'system' } as const;
    await database.transaction((db) =>
      db.query((q) => q.insertInto('audit_events').values({ ...event, subject_kind: 'app', subject_id: 'x' } as never)),
    );
    await database.close();
    expect(await ask('clock')).toEqual([mended('warn', /from the future/, /clock/)]);
  });
});

it('tells how many jobs were given up, and why the last of them was', async () => {
  await useSqlite();
  expect(await ask('jobs')).toEqual([saying('ok', /None/)]);
  const database = openDatabase({ location: path.join(dataDir, 'mooring.db') });
  const job = { payload: '{}', attempts: 8, created_at: 1, due_at: null, lease: null };
  const given = [
    { id: 'a', name: 'mail.send', last_error: 'no such host', failed_at: 1, ...job },
    { id: 'b', name: 'analytics_days.mend', last_error: 'Telemetry of 2026-11-01 is lost', failed_at: 2, ...job },
    { id: 'c', name: 'mail.send', last_error: 'not yet', failed_at: null, ...job },
  ];
  await database.transaction((db) => db.query((q) => q.insertInto('jobs').values(given as never)));
  await database.close();
  expect(await ask('jobs')).toEqual([mended('warn', /2 were given up.*days\.mend: Telemetry of .* is lost/, /again/)]);
});

describe('the certificate', () => {
  const hosts = ['localhost'];

  it('is valid, until it is old', async () => {
    await localCertificate(dataDir, hosts, Date.now());
    expect(await ask('certificate')).toEqual([saying('ok', /valid for \d+ days/)]);
  });

  it('that has expired, or soon will, is told', async () => {
    await localCertificate(dataDir, hosts, Date.now() - 80 * DAY);
    expect(await ask('certificate')).toEqual([saying('warn', /expires in \d+ days/)]);
    rmSync(path.join(dataDir, 'tls'), { recursive: true });
    await localCertificate(dataDir, hosts, Date.now() - 100 * DAY);
    expect(await ask('certificate')).toEqual([mended('fail', /has expired/, /restart/)]);
  });

  it('must fit its key and the public address', async () => {
    const other = path.join(dataDir, 'other');
    mkdirSync(other);
    await localCertificate(dataDir, hosts, Date.now());
    await localCertificate(other, hosts, Date.now());
    const env = {
      MOORING_TLS_CERT_FILE: tlsFolder(dataDir).certFile,
      MOORING_TLS_KEY_FILE: tlsFolder(other).keyFile,
      MOORING_PUBLIC_URL: 'https://mooring.example.com',
    };
    expect(await ask('certificate', env)).toEqual([
      mended('fail', /is not the key/, /same pair/),
      mended('warn', /not for mooring\.example\.com/, /proxy/),
    ]);
  });
});

describe('mail', () => {
  it('is tried without sending one', async () => {
    const smtp = await startSmtp();
    onTestFinished(() => smtp.stop());
    expect(await ask('mail', { MOORING_SMTP_URL: smtp.url, MOORING_SMTP_TLS: 'optional' })).toEqual([
      saying('ok', /takes mails/),
    ]);
    expect(smtp.received).toEqual([]);
  });

  it('that cannot be sent is told, without the password', async () => {
    const env = { MOORING_SMTP_URL: 'smtp://ada:secret-word@127.0.0.1:1' };
    const [finding] = await ask('mail', env);
    expect(finding).toEqual(mended('fail', /127\.0\.0\.1:1 .*ECONNREFUSED/, /MOORING_SMTP_URL/));
    expect(JSON.stringify(finding)).not.toContain('secret-word');
  });
});

describe('ports', () => {
  it('that another program has are told, with the setting', async () => {
    const port = String(await listener());
    expect(await ask('ports', { MOORING_HTTP_PORT: port, MOORING_HTTPS_PORT: '0' })).toEqual([
      mended('fail', /Another program/, /MOORING_HTTP_PORT/),
      saying('ok', /any free port/),
    ]);
    const [, https] = await ask('ports', { MOORING_HTTPS_PORT: port });
    expect(https).toEqual(mended('fail', /Another program/, /MOORING_HTTPS_PORT/));
  });

  it('on an address that is not of this machine cannot be used', async () => {
    const [http] = await ask('ports', { MOORING_HTTP_HOST: '192.0.2.1', MOORING_HTTP_PORT: '8080' });
    expect(http).toEqual(saying('fail', /cannot listen on 192\.0\.2\.1:8080/));
  });
});

it('tries ClickHouse, if there is one, and does not tell its password', async () => {
  expect(await ask('telemetry')).toEqual([saying('ok', /process of this server/)]);
  const found = await ask('telemetry', { MOORING_TELEMETRY_URL: 'http://ann:hidden@127.0.0.1:1/' });
  expect(found).toEqual([mended('fail', /127\.0\.0\.1:1 does not answer: ECONNREFUSED/, /MOORING_TELEMETRY_URL/)]);
  expect(JSON.stringify(found)).not.toContain('hidden');
});

it('tells of a replica that is away while another stands in for it, and of a shard of which none is left', async () => {
  const well = createHttpServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(well, 'listening');
  onTestFinished(() => void well.close());
  const address = `http://127.0.0.1:${(well.address() as AddressInfo).port}/`;
  const away = 'http://ann:hidden@127.0.0.1:1/';
  expect(await ask('telemetry', { MOORING_TELEMETRY_URL: `${address},${away}` })).toEqual([
    saying('ok', /answers/),
    mended('warn', /127\.0\.0\.1:1 does not answer: ECONNREFUSED; another replica answers/, /take it out/),
  ]);
  const found = await ask('telemetry', { MOORING_TELEMETRY_URL: `${address} ${away}` });
  expect(found).toEqual([mended('fail', /127\.0\.0\.1:1 does not answer: ECONNREFUSED/, /MOORING_TELEMETRY_URL/)]);
});

it('tries the blob store', async () => {
  expect(await ask('blob store')).toEqual([saying('ok', /written and deleted/)]);
  writeFileSync(path.join(dataDir, 'wrong'), '');
  rmSync(path.join(dataDir, 'blobs'), { recursive: true });
  writeFileSync(path.join(dataDir, 'blobs'), 'a file where the folder should be');
  expect(await ask('blob store')).toEqual([mended('fail', /cannot be kept/, /blobs/)]);
});

describe('the built-in runner', () => {
  const isRoot = process.getuid?.() === 0;
  const on = (more: Record<string, string> = {}) => ({
    MOORING_BUILT_IN_RUNNER: 'host',
    MOORING_BUILT_IN_RUNNER_DIR: path.join(dataDir, 'runner'),
    MOORING_BUILT_IN_RUNNER_USER: '65534',
    ...more,
  });

  it('cannot be started by the user of the server without a sandbox, nor by one that is not there', async () => {
    const own = on({ MOORING_BUILT_IN_RUNNER_USER: String(process.getuid?.()) });
    expect(await ask('built-in runner', own)).toEqual([mended('fail', /could read all that the server may/, /USER/)]);
    const other = on({ MOORING_BUILT_IN_RUNNER_USER: 'no-such-user' });
    expect(await ask('built-in runner', other)).toEqual([mended('fail', /no user no-such-user/, /useradd/)]);
  });

  it.runIf(isRoot)('is heard of, silent, or was removed', async () => {
    await useSqlite();
    expect(await ask('built-in runner', on())).toEqual([saying('ok', /the next start of the server registers it/)]);
    mkdirSync(path.join(dataDir, 'runner'));
    writeFileSync(path.join(dataDir, 'runner', 'runner.json'), JSON.stringify({ id: 'r-1', name: 'built-in, box' }));
    expect(await ask('built-in runner', on())).toEqual([mended('warn', /built-in, box was removed/, /Restart/)]);
    const database = openDatabase({ location: path.join(dataDir, 'mooring.db'), poolSize: 1 });
    onTestFinished(() => database.close());
    const write = (sql: string) =>
      database.transaction((db) => db.query(() => ({ compile: () => CompiledQuery.raw(sql) })));
    const columns = 'id, name, token_hash, labels, tools, devices, slots, created_at, last_seen_at';
    await write(`INSERT INTO runners (${columns}) VALUES ('r-1', 'box', 'x', '[]', '[]', '[]', 1, 0, ${Date.now()})`);
    expect(await ask('built-in runner', on())).toEqual([saying('ok', /built-in, box was heard of \d+ s ago/)]);
    await write(`UPDATE runners SET last_seen_at = ${Date.now() - 2 * 60_000}`);
    expect(await ask('built-in runner', on())).toEqual([mended('warn', /was not heard of lately/, /running/)]);
  });
});
