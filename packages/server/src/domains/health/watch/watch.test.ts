import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../../../../../tools/smtp.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { HOUR, SECOND } from '../../../kernel/clock.ts';
import { sendMail } from '../../mail/index.ts';
import type { Event } from '../events/rendering.ts';
import { createWatch } from './watch.ts';

const version = 'api-version=2024-02-01';
const provider = '/providers/Vendor.ResourceHealth/events';

/** A server of which the database and the store of files can be broken, as another machine can break. */
function breakable({ deps }: TestApp) {
  const broken = { database: false, files: false, telemetry: false };
  const gone = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
  const db: Deps['db'] = { ...deps.db, transaction: (work) => (broken.database ? gone() : deps.db.transaction(work)) };
  const blobs: Deps['blobs'] = { ...deps.blobs, check: () => (broken.files ? gone() : deps.blobs.check()) };
  const telemetry: Deps['telemetry'] = {
    ...deps.telemetry,
    check: () => (broken.telemetry ? gone() : deps.telemetry.check()),
  };
  return { broken, deps: { ...deps, db, blobs, telemetry } };
}

async function world(dialect: 'sqlite' | 'postgres', settings = {}) {
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
  test('a server that is well says nothing', async () => {
    const { pass, events } = await world(dialect);
    await pass(20);
    expect(await events()).toEqual([]);
  });

  test('what fails for long is a service issue for everyone, in plain words, and is resolved when it works again', async () => {
    const { app, broken, pass, events, audit } = await world(dialect, { watchdogRegion: 'Harbour' });
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
      'It works again.',
      'The store of files refuses or does not answer, so uploads fail.',
    ]);
    expect(await audit()).toEqual(['health_event.publish by system', 'health_event.resolve by system']);
  });

  test('that telemetry cannot be counted is a warning', async () => {
    const { broken, pass, events } = await world(dialect);
    broken.telemetry = true;
    await pass(6);
    const [open] = await events();
    expect(open?.properties).toMatchObject({
      eventLevel: 'Warning',
      impact: [{ impactedService: 'Mooring telemetry' }],
    });
  });

  test('a failure soon after opens the same event again; a component that flaps for hours tells little', async () => {
    const { broken, pass, events, audit } = await world(dialect);
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

  test('a database that was away is told of afterwards, from when it went', async () => {
    const { broken, pass, events } = await world(dialect);
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

  test('of several processes one looks, a restart forgets nothing, and all agree on one event', async () => {
    const { deps, broken, pass, events, audit } = await world(dialect);
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

  test('jobs that begin late are told of, and so are mails that were given up', async () => {
    const { app, pass, events } = await world(dialect);
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

  test('a mail server that does not answer is told of, until it does', async () => {
    const smtp = await startSmtp();
    onTestFinished(() => smtp.stop());
    const { pass, events } = await world(dialect, { smtpUrl: smtp.url, smtpTls: 'optional' });
    await pass(6);
    expect(await events()).toEqual([]);
    const port = Number(new URL(smtp.url).port);
    await smtp.stop();
    await pass(6);
    expect((await events())[0]).toMatchObject({
      properties: { status: 'Active', impact: [{ impactedService: 'Mooring mail' }] },
    });
    const again = await startSmtp({ port });
    onTestFinished(() => again.stop());
    await pass(3);
    expect((await events())[0]?.properties.status).toBe('Resolved');
  });

  test('what an operator withdrew stays withdrawn until the component has been well', async () => {
    const { app, broken, pass, events } = await world(dialect);
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

  test('0 minutes turn it off', async () => {
    const { broken, pass, events } = await world(dialect, { watchdogMinutes: 0 });
    broken.files = true;
    await pass(10);
    expect(await events()).toEqual([]);
  });
});
