import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../tools/samples/random.ts';
import { startDeviceLoad } from '../../cluster/device-load.ts';
import { basic, createToken, createUser, password, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { openFixtures } from '../fixtures.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';
import { nextOperation, type Operation, readThings, thingKey, type Writer } from './kill-changes.ts';

export interface Kills {
  dialect: Dialect;
  kills: number;
  seed?: number;
}

/** A request, and whether its response arrived. */
interface Sent extends Operation {
  id: string;
  writer: Writer;
  isAcknowledged: boolean;
}

const WRITERS = 8;
const start = (installation: Installation) =>
  startServer({
    ...installation.settings,
    env: { ...installation.settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' },
  });

async function prepareWriters(server: RunningServer, admin: string, seed: number): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let number = 0; number < WRITERS; number++) {
    const { name, email } = await createUser(server, admin, `k-person-${number}`);
    const { api_token: token } = await createToken(server, {}, basic(email, password));
    const person = { name, email, token };
    writers.push({ number, admin, person, things: new Map(), chance: createRandom(seed + number), count: 0 });
  }
  return writers;
}

/** Writes until the server has ended. */
async function write(server: RunningServer, installation: Installation, writer: Writer, sent: Sent[]): Promise<void> {
  for (;;) {
    const operation = await nextOperation(writer, { ...installation, httpUrl: server.httpUrl });
    const { method, path, token, body, changes } = operation;
    const request: Sent = { ...operation, id: `k.${writer.number}.${writer.count}`, writer, isAcknowledged: false };
    sent.push(request);
    const headers = { 'x-request-id': request.id };
    const answer = await send(method, server.httpUrl + path, { token, body, headers }).catch(() => undefined);
    if (!answer) return;
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    request.isAcknowledged = true;
    for (const [kind, key, value] of changes) {
      if (value === undefined) writer.things.delete(thingKey(kind, key));
      else writer.things.set(thingKey(kind, key), value);
    }
  }
}

/** Checks whether an interrupted request took effect; throws if only a part of it did. */
function tookEffect({ method, path, writer, changes }: Sent, found: Map<string, string>): boolean {
  const open = changes.filter(([kind, key, value]) => writer.things.get(thingKey(kind, key)) !== value);
  const done = open.filter(([kind, key, value]) => found.get(thingKey(kind, key)) === value);
  assert.ok(
    done.length === 0 || done.length === open.length,
    `${method} ${path} took effect only partially: ${done.join(', ')}`,
  );
  for (const [kind, key, value] of done.length > 0 ? changes : []) {
    if (value === undefined) writer.things.delete(thingKey(kind, key));
    else writer.things.set(thingKey(kind, key), value);
  }
  return done.length > 0;
}

/** Audit events by request ID. */
type Audits = Map<string, string[]>;

async function readAudits({ rows }: Installation): Promise<Audits> {
  const found: Audits = new Map();
  for (const { id, action } of await rows(
    `SELECT request_id AS id, action FROM audit_events WHERE request_id LIKE 'k.%' ORDER BY action`,
  )) {
    found.set(String(id), [...(found.get(String(id)) ?? []), String(action)]);
  }
  return found;
}

/**
 * Compares the database with acknowledged requests; returns the number of interrupted requests, and how many of them
 * took effect.
 */
async function judge(installation: Installation, writers: Writer[], sent: Sent[], known: Audits) {
  const found = await readThings(installation);
  const audits = await readAudits(installation);
  const cutOff = sent.filter(({ isAcknowledged }) => !isAcknowledged);
  const done = new Set(cutOff.filter((request) => tookEffect(request, found)));
  for (const request of sent) {
    const { id, isAcknowledged, cutOff } = request;
    const recorded = (audits.get(id) ?? []).join();
    const complete = [...request.audits].sort().join();
    const possible = isAcknowledged
      ? [complete]
      : done.has(request)
        ? [complete, ...(cutOff ? [cutOff.after.join()] : [])]
        : ['', ...(cutOff ? [cutOff.before.join()] : [])];
    assert.ok(
      possible.includes(recorded),
      `${request.method} ${request.path} was ${isAcknowledged ? 'acknowledged' : done.has(request) ? 'interrupted and took effect' : 'interrupted without effect'}; the audit log has "${recorded}", not "${possible.join('" or "')}"`,
    );
    known.set(id, audits.get(id) ?? []);
  }
  // Earlier audit events are still there, and only requested changes were recorded.
  for (const [id, actions] of known) assert.deepEqual(audits.get(id) ?? [], actions);
  for (const id of audits.keys()) assert.ok(known.has(id), `The audit log has the request ${id}, which was not sent.`);
  const expected = new Map(writers.flatMap(({ things }) => [...things]));
  assert.deepEqual(Object.fromEntries([...found].sort()), Object.fromEntries([...expected].sort()));
  if (installation.dialect === 'sqlite') {
    assert.deepEqual(await installation.rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(await installation.rows('PRAGMA foreign_key_check'), []);
  }
  return { cutOff: cutOff.length, done: done.size };
}

/** Kills the server repeatedly while it writes; each time, all acknowledged changes must be there. */
export const killUnderLoad = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const known: Audits = new Map();
    const totals = { acknowledged: 0, cutOff: 0, done: 0 };
    const fixtures = await openFixtures(server);
    const { token } = fixtures.ada;
    const writers = await prepareWriters(server, token, seed);
    const devices = await startDeviceLoad(() => server.httpUrl, { token, fixtures });
    try {
      for (let kill = 0; kill < kills; kill++) {
        const sent: Sent[] = [];
        const writing = Promise.all(writers.map((writer) => write(server, installation, writer, sent)));
        await Promise.race([sleep(chance.between(50, 2500)), writing]);
        server.process.kill('SIGKILL');
        await Promise.all([
          writing,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        server = await start(installation);
        const { cutOff, done } = await judge(installation, writers, sent, known);
        totals.acknowledged += sent.length - cutOff;
        totals.cutOff += cutOff;
        totals.done += done;
      }
      await devices.stop();
      const ofDevices = await devices.check();
      return `${dialect}: killed ${kills} times; ${totals.acknowledged} acknowledged changes all present; of ${totals.cutOff} interrupted requests ${totals.done} took full effect and the others none; the audit log agrees; in parallel ${ofDevices}`;
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      devices.abandon();
      server.process.kill('SIGKILL');
    }
  });
