import { randomUUID } from 'node:crypto';
import { type AnnouncementType, announcements, announcementTypes } from '@mooring/contract';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { receiver, verified } from '../../../../test-support/webhook-receiver.ts';
import { createApk } from '../../../../tools/samples/packages.ts';
import { evaluateRules } from '../../src/domains/alerts/evaluation.ts';
import { DAY, MINUTE } from '../../src/kernel/clock.ts';
import { notifyExpiringTokens, sendLogs, writeExports } from '../harness/background-work.ts';
import { createBundle } from '../harness/codepush.ts';
import { crash } from '../harness/crashes.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { ended, phone, withTests } from '../harness/test-runs.ts';

const ajv = addFormats.default(new Ajv({ strict: false }));
const publicUrl = 'https://mooring.example.com';
const octets = { 'content-type': 'application/octet-stream' };

type Setup = Awaited<ReturnType<typeof withTests>>;

async function release({ app, token, call }: Setup, options: object = {}) {
  const id = randomUUID();
  const url = `/v0.1/apps/ada/compass/deployments/Staging/uploads/${id}`;
  await app.call('PUT', url, { token, headers: { 'content-type': 'application/zip' }, body: createBundle(id) });
  await call('POST', '/deployments/Staging/releases', {
    release_upload: { id },
    target_binary_version: '1.0.0',
    ...options,
  });
}

/** How each announcement of an app is triggered, in sequence; those of organizations are in `webhooks.test.ts`. */
const happenings: Partial<Record<AnnouncementType, (setup: Setup) => Promise<unknown>>> = {
  newCrashGroupCreated: ({ app, compass }) => sendLogs(app, compass.id, [crash()]),
  async crashGroupRegressed({ app, compass, call }) {
    const [group] = (await call('GET', '/crash_groups')).body.crash_groups;
    await call('PATCH', `/crash_groups/${group.crash_group_id}`, { status: 'closed' });
    await sendLogs(app, compass.id, [crash({ version: '9.0.0' })]);
  },
  async newAppReleased({ app, token, call }) {
    const url = '/v0.1/apps/ada/compass/releases/uploads?file_name=app.apk';
    await app.call('PUT', url, { token, body: createApk(), headers: octets });
    await app.runJobs();
    const group = (await call('POST', '/distribution_groups', { name: 'Crew' })).body;
    await call('POST', '/releases/1/groups', { id: group.id });
  },
  async feedbackReceived({ app, token }) {
    const { app_secret } = (await app.call('GET', '/v0.1/apps/ada/compass', { token })).json();
    await app.call('POST', '/v0.1/public/feedback', { headers: { 'app-secret': app_secret }, body: { text: 'Hm' } });
  },
  async codePushReleased(setup) {
    await setup.call('POST', '/deployments', { name: 'Staging' });
    await release(setup);
  },
  async codePushHalted(setup) {
    const { app, call } = setup;
    const { key } = (await call('GET', '/deployments/Staging')).body;
    await call('PATCH', '/deployments/Staging', { halt_percent: 1 });
    await release(setup, { rollout: 99 });
    for (let n = 0; n < 20; n += 1) {
      const status = { label: 'v2', status: 'DeploymentFailed', client_unique_id: `device-${n}`, app_version: '1.0.0' };
      await app.call('POST', '/v0.1/public/codepush/report_status/deploy', {
        body: { deployment_key: key, ...status },
      });
    }
  },
  async exportFailed({ app, compass, call }) {
    const blobs = await receiver();
    blobs.answerWith((response) => response.writeHead(response.req.method === 'DELETE' ? 202 : 201).end());
    const BlobEndpoint = new URL(blobs.url).origin;
    const made = await call('POST', '/export_configurations', {
      ...{ type: 'blob_storage_connection_string', export_entities: ['crashes'] },
      connection_string: `AccountName=harbour;AccountKey=a2V5;BlobEndpoint=${BlobEndpoint}`,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(202);
    blobs.answerWith((response) => response.writeHead(403).end());
    await sendLogs(app, compass.id, [crash()]);
    app.advance(3 * MINUTE);
    await writeExports(app);
  },
  async buildFinished({ call, take }) {
    await call('POST', '/repo_config', { repo_url: 'https://localhost/ada/compass.git' });
    await call('POST', '/branches/main/config', { toolsets: { custom: { commands: ['make'] } } });
    await call('POST', '/branches/main/builds', { sourceVersion: 'a'.repeat(40) });
    await (await take()).finish();
  },
  async testRunFinished({ start, take }) {
    await start();
    const { events, finish } = await take();
    await events(0, [ended('writes', 'failed')]);
    await finish();
  },
  async appTokenExpiring({ app, ada, compass }) {
    await app.appToken(compass, ada, { expiresAt: app.deps.clock.now() + 3 * DAY });
    await notifyExpiringTokens(app);
  },
  async alertStarted({ app, call, ctx }) {
    await call('POST', '/alert_rules', { name: 'Silence', kind: 'minutes_without_data', threshold: 30 });
    app.advance(40 * MINUTE);
    await evaluateRules(ctx);
  },
  async alertEnded({ app, compass, ctx }) {
    await sendLogs(app, compass.id, [crash()]);
    await evaluateRules(ctx);
  },
};

eachDatabase('announcements of an app', (dialect) => {
  test('sends each announcement as a signed CloudEvent that matches its documented schema', async () => {
    const setup = await withTests(dialect, [phone], { outboundAllow: ['127.0.0.0/8'], publicUrl });
    const { app, call } = setup;
    const types = announcementTypes.filter((type) => announcements[type].level === 'app');
    expect(Object.keys(happenings).sort()).toEqual(types.toSorted());
    const target = await receiver();
    const { secret } = (await call('POST', '/webhooks', { url: target.url, event_types: types })).body;
    for (const [type, happen] of Object.entries(happenings)) {
      target.received.length = 0;
      await happen(setup);
      for (let n = 0; n < 3; n += 1) await app.runJobs();
      const events = target.received.map((message) => ({ message, event: verified(message, secret) }));
      expect(
        events.map(({ event }) => event.type),
        type,
      ).toContain(`mooring.${type}`);
      for (const { message, event } of events) {
        const { data, ...envelope } = event;
        const name = event.type.replace('mooring.', '') as AnnouncementType;
        expect(ajv.validate(announcements[name].data, data), `${name} ${JSON.stringify(ajv.errors)}`).toBe(true);
        expect(message.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
        expect(envelope).toMatchObject({ specversion: '1.0', source: expect.any(String), subject: 'ada/compass' });
        expect(data.url).toMatch(/^https:\/\/mooring\.example\.com\/users\/ada\/apps\/compass\//);
      }
    }
  });
});
