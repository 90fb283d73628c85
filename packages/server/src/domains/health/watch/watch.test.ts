import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../../../test-support/smtp.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { HOUR, SECOND } from '../../../kernel/clock.ts';
import { sendMail } from '../../mail/index.ts';
import type { Event } from '../events/rendering.ts';
import { createWatch } from './watch.ts';

const version = 'api-version=2024-02-01';
const provider = '/providers/Vendor.ResourceHealth/events';

/** A server whose database and file storage can be made to fail. */
function breakable({ deps }: TestApp) {
  const broken = { database: false, files: false, telemetry: false };
  const refuseConnection = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
  const db: Deps['db'] = {
    ...deps.db,
    transaction: (work) => (broken.database ? refuseConnection() : deps.db.transaction(work)),
  };
  const blobs: Deps['blobs'] = { ...deps.blobs, check: () => (broken.files ? refuseConnection() : deps.blobs.check()) };
  const telemetry: Deps['telemetry'] = {
    ...deps.telemetry,
    check: () => (broken.telemetry ? refuseConnection() : deps.telemetry.check()),
  };
  return { broken, deps: { ...deps, db, blobs, telemetry } };
}

async function createFixtures(dialect: 'sqlite' | 'postgres', settings = {}) {
  const app = await testApp(dialect, settings);
  const token = await app.userToken(await app.addUser('grace'));
  const { broken, deps } = breakable(app);
  const watch = createWatch(deps);
  const pass = async (minutes: number, look = watch) => {
    for (let left = minutes * 2; left > 0; left -= 1) {
      app.advance(30 * SECOND);
      await look();
    }
  };
  const events = async (): Promise<Event[]> =>
    (await app.call('GET', `${provider}?${version}`, { token })).json().value;
  const audit = async () =>
    (await app.database.query((q) => q.selectFrom('audit_events').select(['action', 'actor_kind']).orderBy('id')))
      .filter(({ action }) => action.startsWith('health_event'))
      .map(({ action, actor_kind }) => `${action} by ${actor_kind}`);
  return { app, deps, broken, watch, pass, events, audit };
}

eachDatabase('the watchdog', (dialect) => {
  test('publishes nothing for a healthy server', async () => {
    const { pass, events } = await createFixtures(dialect);
    await pass(20);
    expect(await events()).toEqual([]);
  });

  test('publishes a service issue for everyone about a lasting failure, and resolves it after recovery', async () => {
    const { app, broken, pass, events, audit } = await createFixtures(dialect, { watchdogRegion: 'Harbour' });
    broken.files = true;
    await pass(5);
    expect(await events()).toEqual([]);
    await pass(1);
    const [open] = await events();
    expect(open).toMatchObject({
      name: 'Mooring-files-20261101T0900',
      systemData: { createdBy: 'mooring', createdByType: 'Application' },
      properties: {
        eventType: 'ServiceIssue',
        eventSource: 'ServiceHealth',
        status: 'Active',
        platformInitiated: true,
        eventLevel: 'Error',
        impactStartTime: '2026-11-01T09:00:30.000Z',
        impact: [
          {
            impactedService: 'Mooring files',
            impactedRegions: [
              { impactedRegion: 'Harbour', status: 'Active', impactedSubscriptions: [], impactedTenants: [] },
            ],
          },
        ],
      },
    });
    expect(JSON.stringify(open)).not.toContain('10.0.0.7');
    expect(await app.logged()).toContain('10.0.0.7');
    broken.files = false;
    await pass(2);
    expect((await events())[0]?.properties.status).toBe('Active');
    await pass(1);
    const [closed] = await events();
    expect(closed?.properties).toMatchObject({
      status: 'Resolved',
      impactMitigationTime: '2026-11-01T09:06:30.000Z',
      duration: 360,
    });
    expect(closed?.properties.impact?.[0]?.impactedRegions?.[0]?.updates?.map(({ summary }) => summary)).toEqual([
      'The component works again.',
      'The file storage rejects requests or does not respond, so uploads fail.',
    ]);
    expect(await audit()).toEqual(['health_event.publish by system', 'health_event.resolve by system']);
  });

  test('publishes a warning when telemetry cannot be queried', async () => {
    const { broken, pass, events } = await createFixtures(dialect);
    broken.telemetry = true;
    await pass(6);
    const [open] = await events();
    expect(open?.properties).toMatchObject({
      eventLevel: 'Warning',
      impact: [{ impactedService: 'Mooring telemetry' }],
    });
  });

  test('a failure soon after recovery reopens the event; a component that flaps for hours causes few updates', async () => {
    const { broken, pass, events, audit } = await createFixtures(dialect);
    for (let round = 0; round < 24; round += 1) {
      broken.files = true;
      await pass(6);
      broken.files = false;
      await pass(4);
    }
    const [event, ...others] = await events();
    expect([others, event?.properties.status]).toEqual([[], 'Active']);
    expect(await audit()).toEqual([
      'health_event.publish by system',
      'health_event.resolve by system',
      'health_event.reopen by system',
    ]);
    await pass(30);
    expect((await events())[0]?.properties.status).toBe('Resolved');
  });

  test('reports a database outage afterwards with its start time', async () => {
    const { broken, pass, events } = await createFixtures(dialect);
    broken.database = true;
    await pass(20);
    broken.database = false;
    expect(await events()).toEqual([]);
    await pass(1);
    expect((await events())[0]).toMatchObject({
      name: 'Mooring-database-20261101T0900',
      properties: { status: 'Active', eventLevel: 'Critical', impactStartTime: '2026-11-01T09:00:30.000Z' },
    });
    await pass(3);
    const [{ properties } = { properties: undefined }] = await events();
    expect([properties?.status, properties?.impactMitigationTime]).toEqual(['Resolved', '2026-11-01T09:20:30.000Z']);
  });

  test('one of several processes probes, a restart loses no state, and all agree on one event', async () => {
    const { deps, broken, pass, events, audit } = await createFixtures(dialect);
    let checks = 0;
    const check = () => {
      checks += 1;
      return deps.blobs.check();
    };
    const counted = { ...deps, blobs: { ...deps.blobs, check } };
    broken.files = true;
    const [one, two] = [createWatch(counted), createWatch(counted)];
    await pass(3, async () => {
      await Promise.all([one(), two()]);
    });
    expect(checks).toBe(6);
    await pass(3, createWatch(counted));
    expect([(await events()).length, await audit()]).toEqual([1, ['health_event.publish by system']]);
  });

  test('reports late jobs and undelivered emails', async () => {
    const { app, pass, events } = await createFixtures(dialect);
    await sendMail(systemCtx(app.deps), { to: 'ada@example.com', subject: 'x', text: 'y' });
    await pass(7);
    expect((await events()).map(({ name }) => name)).toEqual(['Mooring-jobs-20261101T0901']);
    await app.runJobs();
    await pass(3);
    await app.buryJob();
    await pass(6);
    expect((await events()).map(({ name, properties }) => [name, properties.status])).toEqual([
      ['Mooring-mail-20261101T0910', 'Active'],
      ['Mooring-jobs-20261101T0901', 'Resolved'],
    ]);
  });

  test('reports a mail server that does not respond until it recovers', async () => {
    const smtp = await startSmtp();
    onTestFinished(() => smtp.stop());
    const { pass, events } = await createFixtures(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await pass(6);
    expect(await events()).toEqual([]);
    const port = Number(new URL(smtp.url).port);
    await smtp.stop();
    await pass(6);
    expect((await events())[0]).toMatchObject({
      properties: { status: 'Active', impact: [{ impactedService: 'Mooring email' }] },
    });
    const again = await startSmtp({ port });
    onTestFinished(() => again.stop());
    await pass(3);
    expect((await events())[0]?.properties.status).toBe('Resolved');
  });

  test('an event withdrawn by an operator stays withdrawn until the component has recovered', async () => {
    const { app, broken, pass, events } = await createFixtures(dialect);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    broken.files = true;
    await pass(6);
    const [{ name } = { name: '' }] = await events();
    await app.call('DELETE', `${provider}/${name}?${version}`, { token: admin });
    await pass(20);
    broken.files = false;
    await pass(3);
    expect(await events()).toEqual([]);
    app.advance(HOUR);
    broken.files = true;
    await pass(6);
    expect(await events()).toHaveLength(1);
  });

  test('0 minutes turn the watchdog off', async () => {
    const { broken, pass, events } = await createFixtures(dialect, { watchdogMinutes: 0 });
    broken.files = true;
    await pass(10);
    expect(await events()).toEqual([]);
  });
});
