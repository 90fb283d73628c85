import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIpa } from '../../../../../tools/samples/packages.ts';
import { testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { MINUTE } from '../../kernel/clock.ts';

const B = '/v0.1/apps/ada/tides';
const octets = { 'content-type': 'application/octet-stream' };
const known = '00008030-000A1B2C3D4E5F60';
const other = '00008030-001C2D3E4F5A6B7C';
const secrets = { issuer_id: 'issuer-57', private_key: 'the key of the store' };

/** An iOS app with a release for one device; Ada has registered another one. */
async function createFixtures(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown, as = token) => app.call(method, url, { token: as, body });
  await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' });
  const bytes = createIpa({ udids: [known] });
  await app.call('PUT', `${B}/releases/uploads?file_name=tides.ipa`, { token, body: bytes, headers: octets });
  await app.runJobs();
  const store = async (type: string, more: object = {}) =>
    (await call('POST', `${B}/distribution_stores`, { type, name: type, ...more })).json();
  const publish = (id: string) => call('POST', `${B}/releases/1/stores`, { id });
  const getPublishing = async (name = 'apple') => {
    const at = `${B}/distribution_stores/${name}/releases/1`;
    const [status, error, log] = [
      (await call('GET', `${at}/realtimestatus`)).json().status?.status,
      (await call('GET', `${at}/publish_error_details`)).json().message,
      (await call('GET', `${at}/publish_logs`)).body,
    ];
    return { status, error, log };
  };
  /** Adds a runner with these commands, using the runner protocol. */
  const addRunner = async (...tools: string[]) => {
    const { code } = (await call('POST', `${B}/runners/codes`, {})).json();
    const made = (await app.call('POST', '/v0.1/runners', { body: { code, name: 'mac' } })).json();
    const headers = { 'x-runner-token': made.token };
    const declaration = { protocol: 1, version: '0.1.0', labels: [], slots: 2 };
    const body = { ...declaration, tools: tools.map((name) => ({ name, version: 'a command' })) };
    await app.call('PUT', '/v0.1/runner', { headers, body });
    return {
      id: made.id as string,
      take: async () => {
        const taken = await app.call('POST', '/v0.1/runner/jobs?wait=0', { headers, body: {} });
        const job = taken.body ? taken.json() : undefined;
        const at = `/v0.1/runner/jobs/${job?.id}`;
        const own = { 'x-job-token': String(job?.token) };
        return {
          job,
          source: () => app.call('GET', `${at}/sources/${job.work.package.id}`, { headers: own }),
          log: (text: string) =>
            app.call('PUT', `${at}/log?offset=0`, {
              headers: { ...own, 'content-type': 'text/plain' },
              body: Buffer.from(text),
            }),
          file: (content: Buffer) =>
            app.call('PUT', `${at}/files/${randomUUID()}?name=signed.ipa&kind=build`, {
              headers: { ...own, ...octets },
              body: content,
            }),
          beat: () => app.call('POST', `${at}/heartbeat`, { headers: own, body: {} }),
          finish: async (body: object = { result: 'succeeded' }) => {
            const response = await app.call('POST', `${at}/finish`, { headers: own, body });
            await app.runJobs();
            return response;
          },
        };
      },
    };
  };
  const register = (udid: string) =>
    call('POST', `/v0.1/users/${ada.id}/devices/register`, { udid, model: 'iPhone12,1' });
  return { app, ada, token, call, bytes, store, publish, getPublishing, addRunner, register };
}

eachDatabase('a handover to a runner', (dialect) => {
  test('is published by the command of a runner; without one, the response says what is missing', async () => {
    const { app, call, bytes, store, publish, getPublishing, addRunner } = await createFixtures(dialect);
    const { id, track, missing } = await store('apple');
    expect([track, missing]).toEqual(['production', expect.stringContaining('MOORING_PUBLISH_APPSTORE_COMMAND')]);
    const credentials = `${B}/distribution_stores/apple/credentials`;
    expect((await call('PUT', credentials, {})).json().message).toMatch(
      /Send the credentials for its command as secrets/,
    );
    expect((await call('PUT', credentials, { secrets })).statusCode).toBe(204);
    await call('POST', `${B}/apple_mapping`, {
      service_connection_id: 'x',
      apple_id: '1234567890',
      team_identifier: 'A1B2C3D4E5',
      test_flight_groups: [{ id: 'crew', name: 'Crew' }],
    });
    expect((await publish(id)).statusCode).toBe(201);
    const waiting = await getPublishing();
    expect([waiting.status, waiting.error, waiting.log]).toEqual([
      'submitted',
      missing,
      expect.stringContaining(missing),
    ]);
    expect((await (await addRunner('publish-intune')).take()).job).toBeUndefined();
    const mac = await addRunner('publish-appstore');
    expect((await call('GET', `${B}/distribution_stores/apple`)).json().missing).toBeUndefined();
    const { job, source, log, finish } = await mac.take();
    expect(job).toMatchObject({
      kind: 'handover',
      work: {
        what: 'publish-appstore',
        package: { name: 'tides.ipa', size: bytes.length },
        facts: {
          app: { owner: 'ada', name: 'tides' },
          release: { id: 1, bundle_identifier: 'com.example.tides' },
          store: { name: 'apple', track: 'production' },
          apple: { apple_id: '1234567890', test_flight_groups: [{ id: 'crew', name: 'Crew' }] },
        },
        credentials: secrets,
      },
    });
    expect((await source()).rawPayload.equals(bytes)).toBe(true);
    expect((await getPublishing()).status).toBe('processing');
    // Publishing is in progress, so it is not started again.
    await publish(id);
    expect((await mac.take()).job).toBeUndefined();
    await log('UPLOAD SUCCEEDED\n');
    await finish();
    expect(await getPublishing()).toEqual({ status: 'published', error: undefined, log: 'UPLOAD SUCCEEDED\n' });
    const stored = [
      JSON.stringify(await app.database.query((q) => q.selectFrom('distribution_stores').selectAll())),
      JSON.stringify(await app.database.query((q) => q.selectFrom('runner_jobs').selectAll())),
      JSON.stringify(await recorded(app, 'store.')),
      (await call('GET', `${B}/distribution_stores`)).body,
      await app.logged(),
    ];
    for (const text of stored) expect(text).not.toMatch(/issuer-57|the key of the store/);
  });

  test('reports the reason of a failure; another runner replaces a lost one, and a withdrawal stops it', async () => {
    const { app, ada, call, store, publish, getPublishing, addRunner } = await createFixtures(dialect);
    const intune = {
      target_audience: { name: 'Crew' },
      secret_json: { refresh_token: 'a long secret' },
      tenant_id: 't',
    };
    const { id, intune_details, has_credentials } = await store('intune', { intune_details: intune });
    expect([intune_details, has_credentials]).toEqual([{ target_audience: { name: 'Crew' } }, true]);
    const mac = await addRunner('publish-intune');
    await publish(id);
    const first = await mac.take();
    expect(first.job.work).toMatchObject({
      facts: { store: { intune: { target_audience: { name: 'Crew' }, tenant_id: 't' } } },
      credentials: { refresh_token: 'a long secret' },
    });
    await first.log('401 from the tenant\n');
    await first.finish({ result: 'failed', reason: 'The command failed with exit code 3.' });
    const failed = await getPublishing('intune');
    expect([failed.status, failed.error]).toEqual(['failed', 'The command failed with exit code 3.']);
    expect(failed.log).toBe('401 from the tenant\n');
    await publish(id);
    const lost = await mac.take();
    app.advance(2 * MINUTE);
    const again = await mac.take();
    expect([again.job.id, (await getPublishing('intune')).status]).toEqual([lost.job.id, 'processing']);
    expect((await lost.finish()).statusCode).toBe(401);
    expect((await call('DELETE', `${B}/distribution_stores/intune/releases/1`)).statusCode).toBe(204);
    // The runner learns that the job was canceled.
    expect((await again.beat()).statusCode).toBe(401);
    await publish(id);
    const last = await mac.take();
    await app.addOrg(ada, 'lighthouse');
    await call('POST', `${B}/transfer/lighthouse`, {});
    await last.finish({ result: 'canceled' });
    const moved = '/v0.1/apps/lighthouse/tides/distribution_stores/intune';
    const { status } = (await call('GET', `${moved}/releases/1/realtimestatus`)).json();
    expect(status.status).toBe('failed');
    expect((await call('DELETE', moved)).statusCode).toBe(204);
    expect(await app.database.query((q) => q.selectFrom('runner_jobs').selectAll())).toEqual([]);
  });

  test('re-signs a release for the devices of its testers and replaces its package', async () => {
    const { app, token, call, addRunner, register } = await createFixtures(dialect);
    const resign = () => call('POST', `${B}/releases/1/update_devices`, {});
    await register(other);
    expect((await resign()).json().message).toMatch(/No tester of this release has registered a device/);
    await call('POST', `${B}/releases/1/testers`, { email: 'ada@example.com', notify_testers: false });
    const resigning = (await resign()).json();
    expect(resigning).toMatchObject({ status: 'submitted', device_count: 1 });
    expect(resigning.error_message).toContain('MOORING_RESIGN_APPLE_COMMAND');
    const before = (await call('GET', `${B}/releases/1`)).json();
    expect(before.can_resign).toBe(false);
    const mac = await addRunner('resign-apple');
    expect((await call('GET', `${B}/releases/1`)).json().can_resign).toBe(true);
    // The queued job is replaced, and includes the new device.
    await register(known);
    const { resign_id } = (await resign()).json();
    const status = async (id = resign_id) => (await call('GET', `${B}/releases/1/update_devices/${id}`)).json();
    expect(await status()).toEqual({ status: 'submitted' });
    const broken = await mac.take();
    expect(broken.job.work.facts.devices.map(({ udid }: { udid: string }) => udid)).toEqual([known, other]);
    expect((await resign()).statusCode).toBe(409);
    await broken.file(createIpa({ udids: [known] }));
    await broken.finish();
    expect(await status()).toMatchObject({ status: 'failed', error_message: expect.stringContaining(other) });
    expect((await call('GET', `${B}/releases/1`)).json().fingerprint).toBe(before.fingerprint);

    const second = (await resign()).json().resign_id;
    const { file, log, finish } = await mac.take();
    const signed = createIpa({ udids: [known, other] });
    await file(signed);
    await log('signed by the team\n');
    await finish();
    expect(await status(second)).toEqual({ status: 'completed' });
    const after = (await call('GET', `${B}/releases/1`)).json();
    expect([after.id, after.version, after.size]).toEqual([1, before.version, signed.length]);
    expect(after.package_hashes).toEqual(expect.arrayContaining(before.package_hashes));
    expect((await call('GET', `${B}/releases/1/provisioning_profile`)).json().udids).toEqual([known, other]);
    const { pathname } = new URL(after.download_url);
    expect((await app.call('GET', pathname, { token })).rawPayload.equals(signed)).toBe(true);
    expect((await app.call('GET', new URL(before.download_url).pathname, {})).statusCode).toBe(404);
    expect((await call('GET', `${B}/releases/1/update_devices/${second}/logs`)).body).toBe('signed by the team\n');
    const all = (await call('GET', `${B}/releases/1/update_devices`)).json();
    expect(all.map((one: { status: string }) => one.status)).toEqual(['completed', 'failed']);
    const stranger = await app.userToken(await app.addUser('mary'));
    expect((await call('POST', `${B}/releases/1/update_devices`, {}, stranger)).statusCode).toBe(404);
    expect((await status(randomUUID())).code).toBe('NotFound');
    expect((await call('DELETE', `${B}/releases/1`)).statusCode).toBe(200);
    expect(await app.database.query((q) => q.selectFrom('runner_jobs').selectAll())).toEqual([]);
  });
});
