import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';
import type { Dialect } from './installation.ts';
import { type Breakable, withBreakable } from './kill-steps.ts';

const CRASHES = 30;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SETTLES_WITHIN = 300_000;

/** Whoever asked may have got no answer from a server that ended; what it refused is a mistake. */
const unlessEnded = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error;
  });

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + SETTLES_WITHIN;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < end, `${what} took too long`);
    await sleep(200);
  }
}

interface Received {
  id: string;
  body: string;
}

/** Takes webhooks; the one with that number finds the server dead before it has an answer. */
async function startReceiver() {
  const received: Received[] = [];
  let fatal: { at: number; kill: () => void } | undefined;
  const server = createServer(async (request, response) => {
    received.push({ id: String(request.headers['webhook-id']), body: String(await buffer(request)) });
    if (fatal && received.length === fatal.at) fatal.kill();
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    killAt: (at: number, kill: () => void) => {
      fatal = { at, kill };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
const timestamp = new Date().toISOString();
const crash = (n: number) => ({
  ...{ type: 'managedError', id: randomUUID(), timestamp, fatal: true, userId: 'user-mo', device },
  exception: {
    type: 'java.lang.IllegalStateException',
    message: 'x',
    frames: [{ className: `org.example.Cart${n}`, methodName: 'pay', fileName: 'Cart.java', lineNumber: 1 }],
  },
});
const attachment = (errorId: string) => ({
  ...{ type: 'errorAttachment', id: randomUUID(), timestamp, errorId, device },
  ...{ contentType: 'text/plain', data: Buffer.from('what mo did').toString('base64') },
});

async function openApp({ server }: Breakable, hook: string) {
  const { api_token: token } = await createToken(server(), {});
  const at = `/v0.1/apps/${admin.name}/leaving`;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await send(method, `${server().httpUrl}${path}`, { token, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const created = await call('POST', '/v0.1/apps', {
    ...{ name: 'leaving', display_name: 'Leaving', os: 'Android', platform: 'Java' },
  });
  const { id, app_secret } = created.json<{ id: string; app_secret: string }>();
  await call('POST', `${at}/webhooks`, { url: hook, event_types: ['newCrashGroupCreated'], format: 'plain' });
  const sent = { type: 'file', format: 'minutes', export_entities: ['crashes', 'attachments'] };
  const made = await call('POST', `${at}/export_configurations`, sent);
  const addLogs = async (logs: object[]) => {
    const headers = { 'app-secret': app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
    const raw = JSON.stringify({ logs });
    const answer = await send('POST', `${server().httpUrl}/logs?api-version=1.0.0`, { headers, raw });
    assert.equal(answer.status, 200, answer.text);
  };
  return { id, at, call, addLogs, exportId: made.json<{ id: string }>().id };
}

/** Everything that an export wrote: each file is whole. */
function readExport(dataDir: string, appId: string) {
  const folder = path.join(dataDir, 'exports', appId);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const read = ({ parentPath, name }: (typeof files)[number]) => readFileSync(path.join(parentPath, name), 'utf8');
  const isRecords = (name: string) => name.endsWith('.v1.data');
  return {
    drafts: files.filter(({ name }) => name.endsWith('.draft')).length,
    ids: files
      .filter(({ name }) => isRecords(name))
      .flatMap((file) => (JSON.parse(read(file)) as { EventId: string }[]).map(({ EventId }) => EventId)),
    attachments: files.filter(({ name }) => !isRecords(name)).map(read),
  };
}

/**
 * Ends a server while a receiver has a message and it has no answer, before and after a file of an export has its name, and in the
 * middle of the deletion of what a user of an app sent.
 */
export const killLeaving = async (dialect: Dialect): Promise<string> => {
  const receiver = await startReceiver();
  const allow = { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const work = async (tools: Breakable): Promise<string> => {
    const { installation, server, set, endAt } = tools;
    const app = await openApp(tools, receiver.url);
    const crashes = Array.from({ length: CRASHES }, (_, n) => crash(n));
    receiver.killAt(CRASHES / 2, () => server().process.kill('SIGKILL'));
    await endAt('', () => unlessEnded(app.addLogs(crashes)));
    // The clock of the next one says that the leases of this one are over.
    set(String(MINUTE));
    const told = () => new Map(receiver.received.map(({ id, body }) => [id, body]));
    await until('telling of crashes', async () => (told().size === CRASHES ? true : undefined));
    const groups = [...told().values()].map((body) => (JSON.parse(body) as { id: string }).id);
    assert.equal(new Set(groups).size, CRASHES, 'a group was told of twice under different ids');
    for (const { id, body } of receiver.received)
      assert.equal(body, told().get(id), 'a repetition says something else');

    // By now the minute of the first ones may be exported: others wait until the server is to end at them, and tell of no new group.
    const more = Array.from({ length: CRASHES }, (_, n) => crash(n));
    const attachments = more.slice(0, 3).map(({ id }) => attachment(id));
    await endAt(`draft ${MINUTE}`, async () => {
      await unlessEnded(app.addLogs([...more, ...attachments]));
      set(`draft ${5 * MINUTE}`);
    });
    await endAt(`export ${10 * MINUTE}`, async () => undefined);
    set(String(2 * HOUR));
    await until('exporting', async () => {
      const shown = await app.call('GET', `${app.at}/export_configurations/${app.exportId}`);
      return shown.json<{ waiting_batches: number }>().waiting_batches === 0 ? true : undefined;
    });
    const { drafts, ids, attachments: files } = readExport(installation.settings.dataDir, app.id);
    assert.deepEqual(
      ids.toSorted(),
      [...crashes, ...more].map(({ id }) => id).toSorted(),
      'an export lacks something or has it twice',
    );
    assert.deepEqual([drafts, files], [0, attachments.map(() => 'what mo did')]);

    const asked = { kind: 'delete', user_id: 'user-mo' };
    await endAt(`blob ${3 * HOUR}`, () => unlessEnded(app.call('POST', `${app.at}/data_requests`, asked)));
    set(String(4 * HOUR));
    const left = async (sql: string) => Number(Object.values((await installation.rows(sql))[0] ?? {})[0]);
    const of = `WHERE app_id = '${app.id}'`;
    await until('deleting', async () =>
      (await left(`SELECT count(*) AS n FROM crash_reports ${of}`)) === 0 ? true : undefined,
    );
    assert.equal(await left(`SELECT count(*) AS n FROM crash_attachments ${of}`), 0, 'an attachment is left');
    assert.equal(await left(`SELECT sum(count) AS n FROM crash_groups ${of}`), 0, 'what was deleted still counts');
    const copy = (await app.call('POST', `${app.at}/data_requests`, { kind: 'export', user_id: 'user-mo' })).json<{
      id: string;
    }>();
    const records = await until('searching', async () => {
      const shown = (await app.call('GET', `${app.at}/data_requests/${copy.id}`)).json<{
        status: string;
        records: number;
      }>();
      return shown.status === 'Completed' ? shown.records : undefined;
    });
    assert.equal(records, 0, 'a search finds what was deleted');
    const repeated = receiver.received.length - CRASHES;
    return `${dialect}: ended in the middle of a delivery, an export and a deletion: ${CRASHES} messages each told, ${repeated} of them again under the same id; ${ids.length} reports and ${files.length} attachments exported once each, in whole files; nothing left of whoever was deleted`;
  };
  try {
    return await withBreakable(dialect, work, allow);
  } finally {
    receiver.close();
  }
};
