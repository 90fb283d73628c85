import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Dialect } from './installation.ts';
import { type Breakable, withBreakable } from './kill-steps.ts';
import { attachment, crash, HOUR, MINUTE, openApp, readExport, until } from './leaving-world.ts';

/** Fewer new groups than one hour announces one by one. */
const CRASHES = 18;

/** Whoever asked may have got no answer from a server that ended; what it refused is a mistake. */
const unlessEnded = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error;
  });

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

function checkExport(found: ReturnType<typeof readExport>, ids: readonly string[], attachments: number): void {
  assert.deepEqual(found.ids.toSorted(), ids.toSorted(), 'an export lacks something or has it twice');
  assert.deepEqual([found.drafts, found.attachments], [0, Array(attachments).fill('what mo did')]);
}

/**
 * Ends a server while a receiver has a message and it has no answer, before and after a file of an export has its name, also of what is kept
 * of crashes and their attachments, and in the middle of the deletion of what a user of an app sent.
 */
export const killLeaving = async (dialect: Dialect): Promise<string> => {
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
    // The clock of the next one says that the leases of this one are over.
    set(String(MINUTE));
    const told = () => new Map(receiver.received.map(({ id, body }) => [id, body]));
    await until('telling of crashes', async () => (told().size === CRASHES ? true : undefined));
    const groups = [...told().values()].map((body) => (JSON.parse(body) as { id: string }).id);
    assert.equal(new Set(groups).size, CRASHES, 'a group was told of twice under different ids');
    for (const { id, body } of receiver.received)
      assert.equal(body, told().get(id), 'a repetition says something else');

    // The others are of another minute: a server that ended at a file of the first ones might not have stored them.
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
    checkExport(readExport(installation.settings.dataDir, app.id, 'export'), all, attachments.length);

    // Another one begins with all that is kept: by hour, and then the attachments.
    await endAt(`draft:backfill ${2 * HOUR + MINUTE}`, () => unlessEnded(app.addExport('later')));
    const late = crash(0);
    await app.addLogs([late]);
    await endAt(`export:backfill ${2 * HOUR + 10 * MINUTE}`, async () => undefined);
    await endAt(`export:attachments ${2 * HOUR + 20 * MINUTE}`, async () => undefined);
    set(String(4 * HOUR));
    const { values } = (await app.call('GET', `${app.at}/export_configurations`)).json<{ values: { id: string }[] }>();
    for (const { id } of values) await app.untilExported(id);
    const later = readExport(installation.settings.dataDir, app.id, 'later');
    checkExport(later, [...all, late.id], attachments.length);

    const asked = { kind: 'delete', user_id: 'user-mo' };
    await endAt(`blob ${5 * HOUR}`, () => unlessEnded(app.call('POST', `${app.at}/data_requests`, asked)));
    set(String(6 * HOUR));
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
    return `${dialect}: ended in the middle of a delivery, an export, a back-fill and a deletion: ${CRASHES} messages each told, ${repeated} of them again under the same id; ${all.length} reports and ${attachments.length} attachments exported once each, in whole files, and once more by an export that began with all that was kept (${later.names.length} files); nothing left of whoever was deleted`;
  };
  try {
    return await withBreakable(dialect, work, allow);
  } finally {
    receiver.close();
  }
};
