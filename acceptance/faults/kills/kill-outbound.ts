import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Dialect } from '../installation.ts';
import { attachment, crash, HOUR, MINUTE, openApp, readExport, until } from '../outbound-fixtures.ts';
import { type Breakable, withBreakable } from './kill-steps.ts';

/** Fewer new groups than are announced individually per hour. */
const CRASHES = 18;

/** A request may get no response from a server that ended, but no rejection. */
const unlessEnded = (response: Promise<unknown>): Promise<unknown> =>
  response.catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error;
  });

interface Received {
  id: string;
  body: string;
}

/** Receives webhooks; kills the server before it responds to the message with this number. */
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

async function checkExport(
  read: () => ReturnType<typeof readExport>,
  ids: readonly string[],
  attachments: number,
): Promise<ReturnType<typeof readExport>> {
  // The job of a killed server may repeat files after another job has finished the export. A draft that stays is an error.
  const found = await until('the drafts to disappear', async () => {
    const files = read();
    return files.drafts === 0 ? files : undefined;
  });
  assert.deepEqual(found.ids.toSorted(), ids.toSorted(), 'reports are missing in the export or exported twice');
  assert.deepEqual(found.attachments, Array(attachments).fill('what mo did'));
  return found;
}

/**
 * Kills a server while a receiver processes a message; before and after a file of an export gets its name, including
 * crashes and attachments; and in the middle of erasing a user of an app.
 */
export const killOutbound = async (dialect: Dialect): Promise<string> => {
  const receiver = await startReceiver();
  const allow = { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const work = async (tools: Breakable): Promise<string> => {
    const { installation, server, set, endAt } = tools;
    const app = await openApp(tools);
    const hook = { url: receiver.url, event_types: ['newCrashGroupCreated'], format: 'plain' };
    await app.call('POST', `${app.at}/webhooks`, hook);
    const exportId = await app.addExport('export');
    const crashes = Array.from({ length: CRASHES }, (_, n) => crash(n));
    receiver.killAt(CRASHES / 2, () => server().process.kill('SIGKILL'));
    await endAt('', () => unlessEnded(app.addLogs(crashes)));
    // The clock of the next server is past the leases of this one.
    set(String(MINUTE));
    const getReceived = () => new Map(receiver.received.map(({ id, body }) => [id, body]));
    await until('the deliveries', async () => (getReceived().size === CRASHES ? true : undefined));
    const groups = [...getReceived().values()].map((body) => (JSON.parse(body) as { id: string }).id);
    assert.equal(new Set(groups).size, CRASHES, 'a group was announced under several IDs');
    for (const { id, body } of receiver.received)
      assert.equal(body, getReceived().get(id), 'a repeated message has a different body');

    // The others are in another minute: a server killed at a file of the first ones might not have stored them.
    set(String(3 * MINUTE));
    await app.untilExported(exportId);
    const more = Array.from({ length: CRASHES }, (_, n) => crash(n));
    const attachments = more.slice(0, 3).map(({ id }) => attachment(id));
    await app.addLogs([...more, ...attachments]);
    await endAt(`draft ${8 * MINUTE}`, async () => undefined);
    await endAt(`export ${15 * MINUTE}`, async () => undefined);
    set(String(2 * HOUR));
    await app.untilExported(exportId);
    const all = [...crashes, ...more].map(({ id }) => id);
    const read = (name: string) => () => readExport(installation.settings.dataDir, app.id, name);
    await checkExport(read('export'), all, attachments.length);

    // A second export starts with all stored data: hourly files, then the attachments.
    await endAt(`draft:backfill ${2 * HOUR + MINUTE}`, () => unlessEnded(app.addExport('later')));
    const late = crash(0);
    await app.addLogs([late]);
    await endAt(`export:backfill ${2 * HOUR + 10 * MINUTE}`, async () => undefined);
    await endAt(`export:attachments ${2 * HOUR + 20 * MINUTE}`, async () => undefined);
    set(String(4 * HOUR));
    const { values } = (await app.call('GET', `${app.at}/export_configurations`)).json<{ values: { id: string }[] }>();
    for (const { id } of values) await app.untilExported(id);
    const later = await checkExport(read('later'), [...all, late.id], attachments.length);

    const response = { kind: 'delete', user_id: 'user-mo' };
    await endAt(`blob ${5 * HOUR}`, () => unlessEnded(app.call('POST', `${app.at}/data_requests`, response)));
    set(String(6 * HOUR));
    const left = async (sql: string) => Number(Object.values((await installation.rows(sql))[0] ?? {})[0]);
    const of = `WHERE app_id = '${app.id}'`;
    await until('the deletion', async () =>
      (await left(`SELECT count(*) AS n FROM crash_reports ${of}`)) === 0 ? true : undefined,
    );
    assert.equal(await left(`SELECT count(*) AS n FROM crash_attachments ${of}`), 0, 'an attachment was not deleted');
    assert.equal(await left(`SELECT sum(count) AS n FROM crash_groups ${of}`), 0, 'deleted reports are still counted');
    const copy = (await app.call('POST', `${app.at}/data_requests`, { kind: 'export', user_id: 'user-mo' })).json<{
      id: string;
    }>();
    const records = await until('the search', async () => {
      const shown = (await app.call('GET', `${app.at}/data_requests/${copy.id}`)).json<{
        status: string;
        records: number;
      }>();
      return shown.status === 'Completed' ? shown.records : undefined;
    });
    assert.equal(records, 0, 'a search finds deleted data');
    const repeated = receiver.received.length - CRASHES;
    return `${dialect}: killed during a delivery, an export, a backfill and a deletion: ${CRASHES} messages delivered, ${repeated} of them twice under the same ID; ${all.length} reports and ${attachments.length} attachments exported once each, in complete files, and again by a later export with backfill (${later.names.length} files); nothing left of the deleted user`;
  };
  try {
    return await withBreakable(dialect, work, allow);
  } finally {
    receiver.close();
  }
};
