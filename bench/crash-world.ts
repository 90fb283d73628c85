import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from './crash-logs.ts';
import type { Contestant } from './harness.ts';

/** Reports of one request: a device that was offline tells of several. */
export const TOGETHER = 5;
const DAY = 86_400_000;

export interface App {
  secret: string;
  token: string;
  base: string;
}

const json = { 'content-type': 'application/json' };

/** A token of the administrator, whatever port the server has by now. */
export async function signIn({ port }: Contestant): Promise<string> {
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const made = await fetch(`http://127.0.0.1:${port}/v0.1/api_tokens`, {
    method: 'POST',
    headers: { ...json, authorization },
    body: '{}',
  });
  return ((await made.json()) as { api_token: string }).api_token;
}

export async function openApp({ port }: Contestant, token: string, display_name: string): Promise<App> {
  const base = `http://127.0.0.1:${port}`;
  const created = await fetch(`${base}/v0.1/apps`, {
    method: 'POST',
    headers: { ...json, 'x-api-token': token },
    body: JSON.stringify({ display_name, os: 'Android', platform: 'Java' }),
  });
  const { app_secret, owner, name } = (await created.json()) as {
    app_secret: string;
    owner: { name: string };
    name: string;
  };
  return { secret: app_secret, token, base: `${base}/v0.1/apps/${owner.name}/${name}` };
}

export async function ask({ base, token }: App, path: string, method = 'GET', body?: object): Promise<unknown> {
  const headers = { 'x-api-token': token, ...(body ? json : {}) };
  const answer = await fetch(`${base}/${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

export async function sendSome({ secret, base }: App, from: number, log: (n: number) => object): Promise<void> {
  const headers = { ...json, 'app-secret': secret, 'install-id': randomUUID() };
  const logs = Array.from({ length: TOGETHER }, (_, at) => log(from + at));
  const answer = await fetch(new URL('/logs?api-version=1.0.0', base), {
    method: 'POST',
    headers,
    body: JSON.stringify({ logs }),
  });
  if (answer.status !== 200) throw new Error(`Logs were answered with ${answer.status}.`);
  await answer.arrayBuffer();
}

/** Of today. */
export async function countOf(app: App): Promise<number> {
  const day = new Date().toISOString().slice(0, 10);
  const { count } = (await ask(app, `errors/errorCountsPerDay?start=${day}`)) as { count: number };
  return count;
}

export async function until(isTrue: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isTrue())) await sleep(100);
  return (performance.now() - start) / 1000;
}

/** As many as are asked for, as quickly as they are taken; how many a second were processed until the last was seen. */
export async function fill(app: App, count: number, log: (n: number) => object): Promise<number> {
  const before = await countOf(app);
  const start = performance.now();
  let next = 0;
  const sender = async () => {
    while (next < count) {
      const at = next;
      next += TOGETHER;
      await sendSome(app, at, log);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  await until(async () => (await countOf(app)) >= before + count);
  return (count * 1000) / (performance.now() - start);
}

export async function uploadSymbols(app: App, { symbols }: Kind): Promise<void> {
  if (!symbols) return;
  const versions = symbols.hasVersion ? Array.from({ length: 10 }, (_, n) => [`1.${n}.0`, String(n)]) : [[]];
  const ids: string[] = [];
  for (const [version, build] of versions) {
    const begun = { symbol_type: symbols.type, file_name: symbols.file_name, version, build };
    const { symbol_upload_id, upload_url } = (await ask(app, 'symbol_uploads', 'POST', begun)) as Record<
      string,
      string
    >;
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    // The server tells its public address, which is another than that of loopback.
    const url = new URL(upload_url ?? '');
    const sent = await fetch(new URL(url.pathname + url.search, app.base), {
      method: 'PUT',
      headers,
      body: new Uint8Array(symbols.content),
    });
    if (sent.status !== 201) throw new Error(`Symbols were answered with ${sent.status}.`);
    await ask(app, `symbol_uploads/${symbol_upload_id}`, 'PATCH', { status: 'committed' });
    ids.push(symbol_upload_id ?? '');
  }
  for (const id of ids) {
    await until(async () => {
      const { status } = (await ask(app, `symbol_uploads/${id}`)) as { status: string };
      if (status === 'failed') throw new Error(`${symbols.file_name} was refused.`);
      return status === 'indexed';
    });
  }
}

/**
 * Makes so many of each report that the server has, over the days before, by the database itself: through the front door
 * a million would take a quarter of an hour. The server is not running meanwhile.
 */
export function multiplyReports(dataDir: string, times: number): void {
  const db = new DatabaseSync(path.join(dataDir, 'mooring.db'));
  const columnsOf = (table: string): string[] =>
    db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
  db.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off',
  );
  const counted = ['crash_days', 'crash_app_days', 'crash_group_devices', 'crash_issue_devices', 'crash_app_devices'];
  const tables = ['crash_reports', 'crash_bodies', 'crash_properties', ...counted];
  const indexes = db
    .prepare(`select name, sql from sqlite_master where type = 'index' and sql is not null`)
    .all()
    .filter(({ sql }) => tables.some((table) => String(sql).includes(`"${table}"`)));
  for (const { name } of indexes) db.exec(`drop index "${name}"`);
  db.exec('begin');
  // Within the time that reports are kept.
  db.exec(`create temp table copies as with recursive c(n) as (select 1 union all select n + 1 from c where n < ${times - 1})
    select n, printf('%08x', n) as start, n * 80 / ${times} as days from c`);
  const other = (column: string) => `start || substr("${column}", 9)`;
  const changed: Record<string, string> = {
    sent_id: other('sent_id'),
    install_id: other('install_id'),
    report_id: other('report_id'),
    at: `at - days * ${DAY}`,
    received_at: `received_at - days * ${DAY}`,
    day: 'day - days',
  };
  for (const table of tables) {
    const columns = columnsOf(table);
    const values = columns.map((column) =>
      column === 'id' && table === 'crash_reports' ? other('id') : (changed[column] ?? `"${column}"`),
    );
    const names = columns.map((column) => `"${column}"`).join(', ');
    const again =
      table === 'crash_days'
        ? 'do update set count = count + excluded.count, devices = devices + excluded.devices'
        : table === 'crash_app_days'
          ? 'do update set count = count + excluded.count'
          : 'do nothing';
    db.exec(`create temp table sent as select * from "${table}"`);
    db.exec(`insert into "${table}" (${names}) select ${values.join(', ')} from copies cross join sent where true
      on conflict ${again}`);
    db.exec('drop table sent');
  }
  db.exec(`update crash_facets set count = count * ${times}`);
  for (const table of ['crash_groups', 'crash_issues']) {
    db.exec(
      `update ${table} set count = count * ${times}, device_count = device_count * ${times}, first_at = first_at - ${79 * DAY}`,
    );
  }
  db.exec('commit');
  for (const { sql } of indexes) db.exec(String(sql));
  db.exec('pragma journal_mode = wal');
  db.close();
}
