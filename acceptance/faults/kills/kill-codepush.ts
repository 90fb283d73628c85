import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../tools/samples/random.ts';
import { createZip, filesIn } from '../../../tools/samples/zips.ts';
import { createToken, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { type Installation, untilDisconnected, withInstallation } from '../installation.ts';
import type { Kills } from './kill.ts';
import { untilGone } from './repeat-until-killed.ts';

const REPORTERS = 4;
const DIFFS = 5;
const SETTLES_WITHIN = 300_000;
const home = `/v0.1/apps/${admin.name}/Tide/deployments`;
/** The constant part of the package. Incompressible, so that a diff is worthwhile and takes time to create. */
const image = Buffer.from(Array.from({ length: 300_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2_654_435_761) >>> 24));

/** The sent requests, and whether each was acknowledged. */
interface Requests {
  token: string;
  key: string;
  /** By the ID of the upload. */
  releases: Map<string, boolean>;
  promotions: { requested: number; done: number };
  /** By the ID of the device. */
  reports: Map<string, boolean>;
}

interface Release {
  label: string;
  package_hash: string;
  blob_url: string;
  size: number;
  diff_package_map: Record<string, { size: number; url: string }>;
}

const start = ({ settings }: Installation) =>
  startServer({ ...settings, env: { ...settings.env, MOORING_LOG_LEVEL: 'error', MOORING_RATE_LIMIT: '0' } });

async function releaseNext({ httpUrl }: RunningServer, { token, releases }: Requests): Promise<void> {
  const id = randomUUID();
  const raw = createZip([
    { path: 'CodePush/index.android.bundle', content: `console.log(${JSON.stringify(id)})` },
    { path: 'CodePush/a.png', content: image },
  ]);
  const headers = { 'content-type': 'application/zip' };
  const sent = await send('PUT', `${httpUrl}${home}/Staging/uploads/${id}`, { token, headers, raw });
  assert.equal(sent.status, 200, sent.text);
  releases.set(id, false);
  await releaseUpload(httpUrl, token, id);
  releases.set(id, true);
}

async function releaseUpload(httpUrl: string, token: string, id: string): Promise<Release> {
  const body = { release_upload: { id }, target_binary_version: '1.0.0' };
  const made = await send('POST', `${httpUrl}${home}/Staging/releases`, { token, body });
  assert.equal(made.status, 201, made.text);
  return made.json<Release>();
}

async function promote({ httpUrl }: RunningServer, { token, promotions }: Requests): Promise<void> {
  promotions.requested += 1;
  const answer = await send('POST', `${httpUrl}${home}/Staging/promote_release/Production`, { token, body: {} });
  // There is no release yet, or it was promoted already.
  assert.ok([200, 404, 409].includes(answer.status), answer.text);
  if (answer.status === 200) promotions.done += 1;
  else promotions.requested -= 1;
}

async function report({ httpUrl }: RunningServer, { key, reports }: Requests): Promise<void> {
  const device = randomUUID();
  reports.set(device, false);
  const body = { deployment_key: key, app_version: '1.0.0', client_unique_id: device };
  const answer = await send('POST', `${httpUrl}/v0.1/public/codepush/report_status/deploy`, { body });
  assert.equal(answer.status, 200, answer.text);
  reports.set(device, true);
}

const acknowledged = (requested: Map<string, boolean>): number => [...requested.values()].filter((is) => is).length;

/** Runs until there is one more release than kills, so that each kill interrupts something. */
async function hasReleased({ releases }: Requests, kills: number): Promise<void> {
  while (acknowledged(releases) <= kills) await sleep(20);
}

/**
 * Queries the database directly, because the server has ended. Interrupted work took effect completely or not at all.
 */
async function judge({ rows }: Installation, { releases, promotions, reports }: Requests): Promise<void> {
  const released = await rows(
    `SELECT r.upload_id, r.method, r.number, d.name, d.last_number, p.id AS package
     FROM codepush_deployments d JOIN codepush_releases r ON r.deployment_id = d.id
     LEFT JOIN codepush_packages p ON p.id = r.package_id ORDER BY d.name, r.number`,
  );
  for (const [name, of] of Map.groupBy(released, (row) => String(row.name))) {
    assert.deepEqual(
      of.map(({ number }) => Number(number)),
      of.map((_, at) => at + 1),
      `release numbers of ${name} are missing`,
    );
    assert.equal(Number(of.at(-1)?.last_number), of.length, `the release counter of ${name} differs from its releases`);
  }
  for (const row of released) assert.ok(row.package, `${row.name} v${row.number} has no package`);
  const uploads = new Set(released.map(({ upload_id }) => upload_id));
  for (const [id, is] of releases) assert.ok(!is || uploads.has(id), 'an acknowledged release is missing');
  const promoted = released.filter(({ method }) => method === 'Promote').length;
  assert.ok(
    promoted >= promotions.done && promoted <= promotions.requested,
    `${promoted} promotions exist, but ${promotions.done} were acknowledged and ${promotions.requested} requested`,
  );
  const audits = await rows(`SELECT action, count(*) AS count FROM audit_events GROUP BY action`);
  const audited = (action: string) => Number(audits.find((row) => row.action === action)?.count ?? 0);
  assert.deepEqual(
    [audited('deployment.release'), audited('deployment.promote')],
    [released.length - promoted, promoted],
    'the audit log does not match the releases',
  );
  const orphans = await rows(
    `SELECT count(*) AS count FROM codepush_diffs f LEFT JOIN codepush_packages p ON p.id = f.package_id WHERE p.id IS NULL`,
  );
  assert.equal(Number(orphans[0]?.count), 0, 'a diff belongs to no package');
  const [counted] = await rows(
    `SELECT (SELECT coalesce(sum(active), 0) FROM codepush_counts) AS active,
       (SELECT coalesce(sum(active), 0) FROM codepush_hours) AS hours, (SELECT count(*) FROM codepush_reports) AS marks`,
  );
  const active = Number(counted?.active);
  assert.deepEqual(
    [Number(counted?.hours), Number(counted?.marks)],
    [active, active],
    'the counts of status reports differ from each other',
  );
  assert.ok(
    active >= acknowledged(reports) && active <= reports.size,
    `${active} reports are counted, but ${acknowledged(reports)} were acknowledged and ${reports.size} sent`,
  );
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hashFiles = (files: ReadonlyMap<string, Buffer>): string =>
  sha256(JSON.stringify([...files].map(([path, content]) => `${path}:${sha256(content)}`).sort()));

/** Downloads all packages and diffs, and checks that each diff turns the previous package into the new one. */
async function download({ httpUrl }: RunningServer, token: string): Promise<number> {
  const fetched = async (url: string, size: number): Promise<Map<string, Buffer>> => {
    const answer = await fetch(httpUrl + new URL(url).pathname);
    const content = Buffer.from(await answer.arrayBuffer());
    assert.deepEqual([answer.status, content.length], [200, size], url);
    return new Map(filesIn(content));
  };
  const releases = (await send('GET', `${httpUrl}${home}/Staging/releases`, { token })).json<Release[]>();
  const packages = new Map<string, Map<string, Buffer>>();
  let diffs = 0;
  for (const { label, package_hash, blob_url, size, diff_package_map } of releases) {
    const files = await fetched(blob_url, size);
    assert.equal(hashFiles(files), package_hash, `the content of ${label} does not match its hash`);
    packages.set(package_hash, files);
    for (const [from, diff] of Object.entries(diff_package_map)) {
      const came = await fetched(diff.url, diff.size);
      const { deletedFiles } = JSON.parse(String(came.get('hotcodepush.json'))) as { deletedFiles: string[] };
      came.delete('hotcodepush.json');
      const after = new Map([...(packages.get(from) ?? []), ...came]);
      for (const path of deletedFiles) after.delete(path);
      assert.equal(hashFiles(after), package_hash, `a diff of ${label} produces different content`);
      diffs += 1;
    }
  }
  return diffs;
}

/** Waits until the newest release has its diffs, because interrupted jobs run again. */
async function settle({ httpUrl }: RunningServer, token: string): Promise<void> {
  const end = Date.now() + SETTLES_WITHIN;
  for (;;) {
    const releases = (await send('GET', `${httpUrl}${home}/Staging/releases`, { token })).json<Release[]>();
    const expected = Math.min(DIFFS, releases.length - 1);
    const has = Object.keys(releases.at(-1)?.diff_package_map ?? {}).length;
    if (has === expected) return;
    assert.ok(Date.now() < end, `the newest release has ${has} of ${expected} diffs`);
    await sleep(200);
  }
}

/**
 * Kills the server during releases, promotions, creation of diffs and device reports. Acknowledged work is complete;
 * interrupted work is complete or absent, and a repeated request finishes it.
 */
export const killCodepush = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createRandom(seed);
    let server = await start(installation);
    const requested: Requests = {
      token: (await createToken(server, {})).api_token,
      key: 'tide-staging-key',
      releases: new Map(),
      promotions: { requested: 0, done: 0 },
      reports: new Map(),
    };
    let diffs = 0;
    try {
      const { token } = requested;
      const app = { display_name: 'Tide', os: 'Android', platform: 'React-Native' };
      await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
      for (const body of [{ name: 'Staging', key: requested.key }, { name: 'Production' }])
        await send('POST', server.httpUrl + home, { token, body });
      for (let kill = 0; kill < kills; kill++) {
        const running = server;
        const working = [
          untilGone(() => releaseNext(running, requested)),
          untilGone(() => promote(running, requested)),
          ...Array.from({ length: REPORTERS }, () => untilGone(() => report(running, requested))),
        ];
        await Promise.race([hasReleased(requested, kill).then(() => sleep(chance.between(0, 1500))), ...working]);
        server.process.kill('SIGKILL');
        await Promise.all([
          ...working,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        await untilDisconnected(installation);
        await judge(installation, requested);
        server = await start(installation);
        // A client without a response repeats its request, and gets the same release or a single new one.
        for (const [id, is] of requested.releases) if (!is) await releaseUpload(server.httpUrl, token, id);
        for (const id of requested.releases.keys()) requested.releases.set(id, true);
      }
      await releaseNext(server, requested);
      await settle(server, token);
      await judge(installation, requested);
      diffs = await download(server, token);
      assert.ok(diffs > 0, 'no diff was created');
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    const { releases, promotions, reports } = requested;
    return `${dialect}: killed ${kills} times while packages were released and promoted and devices sent status reports; ${releases.size} releases and ${promotions.done} acknowledged promotions all complete, ${acknowledged(reports)} acknowledged reports all counted once, of ${reports.size}; ${diffs} diffs, each produces its package`;
  });
