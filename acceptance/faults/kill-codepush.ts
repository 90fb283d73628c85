import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '../../tools/chance.ts';
import { filesIn, zipOf } from '../../tools/zips.ts';
import { createToken, send } from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { type Installation, untilDisconnected, withInstallation } from './installation.ts';
import type { Kills } from './kill.ts';
import { untilGone } from './until-gone.ts';

const REPORTERS = 4;
const DIFFS = 5;
const SETTLES_WITHIN = 300_000;
const home = `/v0.1/apps/${admin.name}/Tide/deployments`;
/** Stays the same, and cannot be packed: a diff is worth it, and takes a while to make. */
const image = Buffer.from(Array.from({ length: 300_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2_654_435_761) >>> 24));

/** What was asked for, and whether it was acknowledged. */
interface Asked {
  token: string;
  key: string;
  /** By the id of the upload. */
  releases: Map<string, boolean>;
  promotions: { asked: number; done: number };
  /** By the id of the device. */
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

async function releaseNext({ httpUrl }: RunningServer, { token, releases }: Asked): Promise<void> {
  const id = randomUUID();
  const raw = zipOf([
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

async function promote({ httpUrl }: RunningServer, { token, promotions }: Asked): Promise<void> {
  promotions.asked += 1;
  const answer = await send('POST', `${httpUrl}${home}/Staging/promote_release/Production`, { token, body: {} });
  // Nothing is out yet, or it was promoted already.
  assert.ok([200, 404, 409].includes(answer.status), answer.text);
  if (answer.status === 200) promotions.done += 1;
  else promotions.asked -= 1;
}

async function report({ httpUrl }: RunningServer, { key, reports }: Asked): Promise<void> {
  const device = randomUUID();
  reports.set(device, false);
  const body = { deployment_key: key, app_version: '1.0.0', client_unique_id: device };
  const answer = await send('POST', `${httpUrl}/v0.1/public/codepush/report_status/deploy`, { body });
  assert.equal(answer.status, 200, answer.text);
  reports.set(device, true);
}

const acknowledged = (asked: Map<string, boolean>): number => [...asked.values()].filter((is) => is).length;

/** Until there is one release more than kills, so that each comes in the middle of something. */
async function hasReleased({ releases }: Asked, kills: number): Promise<void> {
  while (acknowledged(releases) <= kills) await sleep(20);
}

/** Past the server, which is gone: what was begun is there as a whole, or not at all. */
async function judge({ rows }: Installation, { releases, promotions, reports }: Asked): Promise<void> {
  const released = await rows(
    `SELECT r.upload_id, r.method, r.number, d.name, d.last_number, p.id AS package
     FROM codepush_deployments d JOIN codepush_releases r ON r.deployment_id = d.id
     LEFT JOIN codepush_packages p ON p.id = r.package_id ORDER BY d.name, r.number`,
  );
  for (const [name, of] of Map.groupBy(released, (row) => String(row.name))) {
    assert.deepEqual(
      of.map(({ number }) => Number(number)),
      of.map((_, at) => at + 1),
      `the labels of ${name} have holes`,
    );
    assert.equal(Number(of.at(-1)?.last_number), of.length, `${name} counts other releases than it has`);
  }
  for (const row of released) assert.ok(row.package, `${row.name} v${row.number} has no package`);
  const uploads = new Set(released.map(({ upload_id }) => upload_id));
  for (const [id, is] of releases) assert.ok(!is || uploads.has(id), 'an acknowledged release is gone');
  const promoted = released.filter(({ method }) => method === 'Promote').length;
  assert.ok(promoted >= promotions.done && promoted <= promotions.asked, `${promoted} promotions are there`);
  const audits = await rows(`SELECT action, count(*) AS count FROM audit_events GROUP BY action`);
  const audited = (action: string) => Number(audits.find((row) => row.action === action)?.count ?? 0);
  assert.deepEqual(
    [audited('deployment.release'), audited('deployment.promote')],
    [released.length - promoted, promoted],
    'the audit log tells of other releases',
  );
  const jobless = await rows(
    `SELECT count(*) AS count FROM codepush_diffs f LEFT JOIN codepush_packages p ON p.id = f.package_id WHERE p.id IS NULL`,
  );
  assert.equal(Number(jobless[0]?.count), 0, 'a diff is of no package');
  const [counted] = await rows(
    `SELECT (SELECT coalesce(sum(active), 0) FROM codepush_counts) AS active,
       (SELECT coalesce(sum(active), 0) FROM codepush_hours) AS hours, (SELECT count(*) FROM codepush_reports) AS marks`,
  );
  const active = Number(counted?.active);
  assert.deepEqual([Number(counted?.hours), Number(counted?.marks)], [active, active], 'what was counted disagrees');
  assert.ok(active >= acknowledged(reports) && active <= reports.size, `${active} reports are counted`);
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hashOf = (files: ReadonlyMap<string, Buffer>): string =>
  sha256(JSON.stringify([...files].map(([path, content]) => `${path}:${sha256(content)}`).sort()));

/** Every package can be downloaded, and every diff that is offered makes it of the one before. */
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
    assert.equal(hashOf(files), package_hash, `${label} is not what it is called`);
    packages.set(package_hash, files);
    for (const [from, diff] of Object.entries(diff_package_map)) {
      const came = await fetched(diff.url, diff.size);
      const { deletedFiles } = JSON.parse(String(came.get('hotcodepush.json'))) as { deletedFiles: string[] };
      came.delete('hotcodepush.json');
      const after = new Map([...(packages.get(from) ?? []), ...came]);
      for (const path of deletedFiles) after.delete(path);
      assert.equal(hashOf(after), package_hash, `a diff of ${label} makes something else`);
      diffs += 1;
    }
  }
  return diffs;
}

/** Until the newest release has its diffs: jobs are done again after all that. */
async function settle({ httpUrl }: RunningServer, token: string): Promise<void> {
  const end = Date.now() + SETTLES_WITHIN;
  for (;;) {
    const releases = (await send('GET', `${httpUrl}${home}/Staging/releases`, { token })).json<Release[]>();
    const wanted = Math.min(DIFFS, releases.length - 1);
    const has = Object.keys(releases.at(-1)?.diff_package_map ?? {}).length;
    if (has === wanted) return;
    assert.ok(Date.now() < end, `the newest release has ${has} diffs of ${wanted}`);
    await sleep(200);
  }
}

/**
 * Ends the server while packages are released and promoted, diffs are made and devices report; what was acknowledged is there,
 * what was cut off is there as a whole or not at all, and is finished by asking again.
 */
export const killCodepush = ({ dialect, kills, seed = Date.now() % 1e6 }: Kills): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const chance = createChance(seed);
    let server = await start(installation);
    const asked: Asked = {
      token: (await createToken(server, {})).api_token,
      key: 'tide-staging-key',
      releases: new Map(),
      promotions: { asked: 0, done: 0 },
      reports: new Map(),
    };
    let diffs = 0;
    try {
      const { token } = asked;
      const app = { display_name: 'Tide', os: 'Android', platform: 'React-Native' };
      await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
      for (const body of [{ name: 'Staging', key: asked.key }, { name: 'Production' }])
        await send('POST', server.httpUrl + home, { token, body });
      for (let kill = 0; kill < kills; kill++) {
        const running = server;
        const working = [
          untilGone(() => releaseNext(running, asked)),
          untilGone(() => promote(running, asked)),
          ...Array.from({ length: REPORTERS }, () => untilGone(() => report(running, asked))),
        ];
        await Promise.race([hasReleased(asked, kill).then(() => sleep(chance.between(0, 1500))), ...working]);
        server.process.kill('SIGKILL');
        await Promise.all([
          ...working,
          server.process.exitCode ?? server.process.signalCode ?? once(server.process, 'exit'),
        ]);
        await untilDisconnected(installation);
        await judge(installation, asked);
        server = await start(installation);
        // Whoever got no answer asks again: it is the same release, or one.
        for (const [id, is] of asked.releases) if (!is) await releaseUpload(server.httpUrl, token, id);
        for (const id of asked.releases.keys()) asked.releases.set(id, true);
      }
      await releaseNext(server, asked);
      await settle(server, token);
      await judge(installation, asked);
      diffs = await download(server, token);
      assert.ok(diffs > 0, 'no diff was made');
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      server.process.kill('SIGKILL');
    }
    const { releases, promotions, reports } = asked;
    return `${dialect}: ended ${kills} times while packages were released and promoted and devices reported; ${releases.size} releases and ${promotions.done} acknowledged promotions all whole, ${acknowledged(reports)} acknowledged reports all counted once, of ${reports.size}; ${diffs} diffs, each makes its package`;
  });
