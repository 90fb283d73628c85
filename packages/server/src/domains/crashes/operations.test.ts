import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { attachment, crash, crashApp, handledError, NOW } from '../../../test/harness/crashes.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { sweepReprocessings } from './reports/processing/reprocessings.ts';

const [ann, bob, cat] = [randomUUID(), randomUUID(), randomUUID()];
const day = (offset = 0) => new Date(NOW + offset * DAY).toISOString();

eachDatabase('crashes and errors', (dialect) => {
  test('lists groups in any order, in pages, and filters by version, state, time and text', async () => {
    const { send, get } = await crashApp(dialect);
    for (let n = 0; n < 35; n += 1) {
      await send(ann, crash({ method: `m${'x'.repeat(n)}`, at: NOW - n * HOUR, version: n % 2 ? '1.0' : '2.0' }));
    }
    const first = await get('crash_groups', { $orderby: 'last_occurrence desc' });
    expect([first.crash_groups.length, first.limited_result_set]).toEqual([30, true]);
    const { continuation_token } = first;
    const second = await get('crash_groups', { $orderby: 'last_occurrence desc', continuation_token });
    expect(second.crash_groups).toHaveLength(5);
    const methods = [...first.crash_groups, ...second.crash_groups].map(({ reason_frame }) => reason_frame.method);
    expect(methods).toEqual(Array.from({ length: 35 }, (_, n) => `m${'x'.repeat(n)}`));
    expect((await get('crash_groups', { app_version: '1.0' })).crash_groups).toHaveLength(17);
    const matches = await get('crash_groups', { group_text_search: `CART m${'x'.repeat(34)}` });
    expect(matches.crash_groups).toHaveLength(1);
    expect((await get('crash_groups', { last_occurrence_from: day(-0.1) })).crash_groups.length).toBeLessThan(5);
    expect((await get('crash_groups', { group_status: 'closed' })).crash_groups).toEqual([]);
  });

  test('rejects a token of another order and an invalid filter with a message', async () => {
    const { call } = await crashApp(dialect);
    const wrong = Buffer.from(JSON.stringify(['count asc', 1, 'x'])).toString('base64url');
    for (const [path, message] of [
      [`crash_groups?continuation_token=${wrong}`, 'another sort order'],
      ['crash_groups?continuation_token=zzz', 'cursor'],
      ['errors/errorGroups?start=2026-11-01&$orderby=color', '$orderby'],
      ['errors/errorGroups?start=2026-11-01&groupState=odd', 'groupState'],
      ['errors/available_versions?start=2026-11-01&$filter=odd', '$filter'],
      ['errors/errorCountsPerDay?start=2026-11-02&end=2026-11-01', 'after end'],
    ]) {
      const { statusCode, body } = await call('GET', String(path));
      expect([path, statusCode, body]).toEqual([path, 400, expect.stringContaining(String(message))]);
    }
  });

  test('returns 404 for unknown IDs, also under a group of another report', async () => {
    const { send, get, call } = await crashApp(dialect);
    const [one, other] = [crash(), crash({ method: 'ship' })];
    await send(ann, one, other);
    const { crash_groups } = await get('crash_groups');
    const [group] = crash_groups.filter(
      ({ reason_frame }: { reason_frame: { method: string } }) => reason_frame.method === 'pay',
    );
    for (const path of [
      'crash_groups/none',
      'crash_groups/none/stacktrace',
      `crash_groups/${group.crash_group_id}/crashes/${other.id}`,
      `errors/errorGroups/${group.crash_group_id}/errors/none`,
      `crashes/${one.id}/attachments/none/text`,
      'crashes/none/attachments',
      'crash_issues/none',
    ]) {
      expect([path, (await call('GET', path)).statusCode]).toEqual([path, 404]);
    }
  });

  test('shows the stack, text and log of a report, and a signed URL for the log that expires', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    const log = crash({ userId: 'u-17' });
    await send(ann, log, attachment(log.id, 'what I did'));
    const [{ crash_group_id: id }] = (await get('crash_groups')).crash_groups;
    const at = `crash_groups/${id}/crashes/${log.id}`;
    const stack = await get(`${at}/stacktrace`);
    expect(
      stack.exception.frames.map(({ method, app_code }: { method: string; app_code: boolean }) => [method, app_code]),
    ).toEqual([
      ['pay', true],
      ['loop', false],
    ]);
    expect((await get(`crash_groups/${id}/stacktrace`, { grouping_only: 'true' })).exceptions).toBeUndefined();
    const { body } = await call('GET', `${at}/native`);
    expect(body).toContain(
      'java.lang.IllegalStateException: cart empty\n    at org.example.shop.Cart.pay (Cart.java:88)',
    );
    const shown = await call('GET', `${at}?include_details=true&include_stacktrace=true`);
    expect([shown.statusCode, shown.json().details.os_build, shown.json().user_name]).toEqual([
      201,
      'UQ1A.240205',
      'u-17',
    ]);
    expect(shown.json().stacktrace.exception.type).toBe('java.lang.IllegalStateException');
    const { uri } = await get(`${at}/raw/location`);
    const { pathname } = new URL(uri);
    expect((await app.call('GET', pathname)).json()).toEqual(log);
    const changed = pathname.replace(/.(?=\/[^/]*$)/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await app.call('GET', changed)).statusCode).toBe(404);
    app.advance(30 * DAY);
    expect((await app.call('GET', pathname)).statusCode).toBe(404);
    const [file] = await get(`errors/${log.id}/attachments`);
    expect(file).toMatchObject({ fileName: 'note.txt', contentType: 'text/plain', size: 10 });
    expect(await get(`errors/${log.id}/attachments/${file.attachmentId}/text`)).toEqual({ content: 'what I did' });
    expect((await app.call('GET', new URL(file.blobLocation).pathname)).body).toBe('what I did');
    expect((await get(`errors/errorGroups/${id}/errors/${log.id}/download`)).id).toBe(log.id);
    const text = await call('GET', `errors/errorGroups/${id}/errors/${log.id}/download?format=txt`);
    expect(text.json()).toContain('cart empty');
  });

  test('deletes a report with its files and counts', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    const [one, other] = [crash(), crash()];
    await send(ann, one, attachment(one.id, 'x'));
    await send(bob, other);
    const [{ crash_group_id: id, issue_id }] = (await get('crash_groups')).crash_groups;
    const { json } = await call('DELETE', `crash_groups/${id}/crashes/${one.id}`);
    expect(json()).toMatchObject({ crashes_deleted: 1, attachments_deleted: 1, blobs_succeeded: 1 });
    expect(await get(`crash_groups/${id}`)).toMatchObject({ count: 1, impacted_users: 1 });
    expect(await get(`crash_issues/${issue_id}`)).toMatchObject({ count: 1, device_count: 1, models: [{ count: 1 }] });
    expect((await get('errors/errorCountsPerDay', { start: day(), end: day() })).count).toBe(1);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
    expect((await call('DELETE', `crash_groups/${id}/crashes/${one.id}`)).statusCode).toBe(404);
    await call('DELETE', `crash_groups/${id}/crashes/${other.id}?retention_delete=true`);
    expect(await get(`crash_groups/${id}`)).toMatchObject({ count: 1 });
    expect((await call('GET', `crash_groups/${id}/stacktrace`)).statusCode).toBe(404);
  });

  test('closes an issue with its last group; a newer version reopens it with an announcement, an older one does not', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    await send(ann, crash({ version: '1.9.0' }));
    const [group] = (await get('crash_groups')).crash_groups;
    const { crash_group_id: id, issue_id } = group;
    const patched = await call('PATCH', `crash_groups/${id}`, { body: { status: 'closed', annotation: 'done' } });
    expect(patched.json()).toMatchObject({ status: 'closed', annotation: 'done' });
    expect(await get(`crash_issues/${issue_id}`)).toMatchObject({ state: 'closed', closed_version: '1.9.0' });
    await send(ann, crash({ version: '1.8.0' }), crash({ version: '1.9.0' }));
    expect(await get(`crash_issues/${issue_id}`)).toMatchObject({ state: 'closed' });
    await send(ann, crash({ version: '1.10.0' }));
    const issue = await get(`crash_issues/${issue_id}`);
    expect(issue).toMatchObject({ state: 'open', regressed_version: '1.10.0', last_version: '1.10.0' });
    const states = issue.groups.map(({ app_version, status }: { app_version: string; status: string }) => [
      app_version,
      status,
    ]);
    expect(states).toEqual([
      ['1.10.0', 'open'],
      ['1.9.0', 'closed'],
      ['1.8.0', 'closed'],
    ]);
    const announcements = await app.database.query((q) =>
      q.selectFrom('announcements').select(['type', 'data']).orderBy('id'),
    );
    expect(announcements.map(({ type, data }) => [type, JSON.parse(data).is_new_issue])).toEqual([
      ['newCrashGroupCreated', true],
      ['newCrashGroupCreated', false],
      ['crashGroupRegressed', undefined],
      ['newCrashGroupCreated', false],
    ]);
  });

  test('closes an issue when two users close its last groups at the same time', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    await send(ann, crash({ version: '1.0.0' }), crash({ version: '2.0.0' }));
    const groups: { crash_group_id: string; issue_id: string }[] = (await get('crash_groups')).crash_groups;
    const close = groups.map(
      ({ crash_group_id }) =>
        () =>
          call('PATCH', `crash_groups/${crash_group_id}`, { body: { status: 'closed' } }),
    );
    expect((await atOnce(app, close)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await get(`crash_issues/${groups[0]?.issue_id}`)).state).toBe('closed');
  });

  test('changes an issue in all its versions', async () => {
    const { send, get, call } = await crashApp(dialect);
    await send(ann, crash(), crash({ version: '2.0' }));
    const [{ id }] = (await get('crash_issues')).values;
    const { json } = await call('PATCH', `crash_issues/${id}`, { body: { state: 'ignored', annotation: 'known' } });
    expect(json()).toMatchObject({ state: 'ignored', annotation: 'known' });
    await send(ann, crash({ version: '3.0' }));
    const { crash_groups } = await get('crash_groups');
    expect(crash_groups.map(({ status }: { status: string }) => status)).toEqual(['ignored', 'ignored', 'ignored']);
  });

  test('merges issues, including future reports, and splits them again', async () => {
    const { send, get, call } = await crashApp(dialect);
    await send(ann, crash(), crash({ method: 'ship' }), handledError());
    await send(bob, crash({ method: 'ship' }));
    const { values } = await get('crash_issues', { kind: 'crash' });
    const [pay, ship] = ['pay', 'ship'].map(
      (method) => values.find((one: { method: string }) => one.method === method).id,
    );
    const [error] = (await get('crash_issues', { kind: 'error' })).values;
    const merge = (id: string, ...issue_ids: string[]) =>
      call('POST', `crash_issues/${id}/merge`, { body: { issue_ids } });
    expect((await merge(pay, pay)).statusCode).toBe(400);
    expect((await merge(pay, error.id)).statusCode).toBe(400);
    expect((await merge(pay, 'none')).statusCode).toBe(404);
    expect((await merge(pay, ship)).json()).toMatchObject({ count: 3, device_count: 2 });
    await send(cat, crash({ method: 'ship', version: '2.0' }));
    const merged = await get(`crash_issues/${pay}`);
    expect([merged.count, merged.device_count, merged.parts.length, merged.groups.length]).toEqual([4, 3, 2, 3]);
    const first = await get(`crash_issues/${pay}/reports`, { limit: '3' });
    const rest = await get(`crash_issues/${pay}/reports`, { limit: '3', cursor: first.next_cursor });
    const all = (await get('errors/search', { filter: "errorType eq 'unhandledError'" })).errors;
    const getIds = (reports: { errorId: string }[]) => reports.map(({ errorId }) => errorId);
    expect(getIds([...first.values, ...rest.values])).toEqual(getIds(all));
    expect([all.length, rest.next_cursor]).toEqual([4, undefined]);
    expect((await call('GET', `crash_issues/${ship}`)).statusCode).toBe(404);
    const split = (...keys: string[]) => call('POST', `crash_issues/${pay}/split`, { body: { keys } });
    const keys = merged.parts.map(({ key }: { key: string }) => key);
    expect((await split(...keys)).statusCode).toBe(400);
    expect((await split('none')).statusCode).toBe(404);
    const part = merged.parts.find(({ title }: { title: string }) => title.includes('ship'));
    expect((await split(part.key)).json()).toMatchObject([{ method: 'ship', count: 3, device_count: 3 }]);
    expect(await get(`crash_issues/${pay}`)).toMatchObject({ count: 1, device_count: 1 });
  });

  test('previews rules, regroups reports and redirects the old group to the new one', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    await send(ann, crash({ method: 'read' }), crash({ method: 'write' }));
    await send(bob, crash({ method: 'write' }));
    const before = (await get('crash_groups')).crash_groups;
    const [{ issue_id }] = before;
    await call('PATCH', `crash_issues/${issue_id}`, { body: { annotation: 'note' } });
    const rules = [{ kind: 'skip', pattern: 'org.example.shop.Cart.*' }];
    const preview = (await call('POST', 'crash_grouping/preview', { body: { rules } })).json();
    expect(preview).toMatchObject({ reports: 3, before: 2, after: 1, split: [], merged: [{ count: 3 }] });
    expect((await get('crash_groups')).crash_groups).toHaveLength(2);
    expect((await call('PUT', 'crash_grouping', { body: { rules } })).json()).toEqual({ rules });
    await app.runJobs();
    const after = (await get('crash_groups')).crash_groups;
    expect(after).toMatchObject([{ count: 3, impacted_users: 2 }]);
    expect((await get('crash_issues')).values).toMatchObject([{ count: 3, device_count: 2 }]);
    for (const { crash_group_id } of before) {
      expect((await get(`crash_groups/${crash_group_id}`)).crash_group_id).toBe(after[0].crash_group_id);
    }
    expect((await get('errors/errorCountsPerDay', { start: day(), end: day() })).count).toBe(3);
    const back = await call('PUT', 'crash_grouping', { body: { rules: [] } });
    expect(back.statusCode).toBe(200);
    await app.runJobs();
    const { crash_groups } = await get('crash_groups', { $orderby: 'count asc' });
    expect(crash_groups.map(({ count }: { count: number }) => count)).toEqual([1, 2]);
  });

  test('shows the progress of reprocessing and deletes it after a day', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    expect(await get('crash_reports/reprocessing')).toEqual([]);
    await send(ann, crash(), crash({ method: 'write' }));
    expect((await call('POST', 'crash_reports/reprocess', { body: {} })).statusCode).toBe(202);
    expect(await get('crash_reports/reprocessing')).toEqual([]);
    await app.runJobs();
    const [run, ...others] = await get('crash_reports/reprocessing');
    expect(run).toMatchObject({ reason: 'requested', total: 2, done: 2, ended_at: run.started_at });
    expect(others).toEqual([]);
    await call('PUT', 'crash_grouping', { body: { rules: [{ kind: 'skip', pattern: 'nothing.*' }] } });
    app.advance(1000);
    await app.runJobs();
    expect((await get('crash_reports/reprocessing')).map(({ reason }: { reason: string }) => reason)).toEqual([
      'rules',
      'requested',
    ]);
    app.advance(DAY + 1001);
    await sweepReprocessings(systemCtx(app.deps));
    expect(await get('crash_reports/reprocessing')).toEqual([]);
  });

  test('lists failed reports with the reason, and reprocesses them', async () => {
    const { app, send, get, call } = await crashApp(dialect);
    const { exception: _, threads: __, ...broken } = crash();
    await send(ann, broken, crash());
    expect(await get('crash_reports/failed')).toMatchObject([
      { id: broken.id, reason: expect.stringContaining('no exception') },
    ]);
    expect((await call('POST', 'crash_reports/reprocess', { body: { failed: true } })).statusCode).toBe(202);
    expect((await call('POST', 'crash_reports/reprocess', { body: { issue_id: 'none' } })).statusCode).toBe(404);
    await call('POST', 'crash_reports/reprocess', { body: {} });
    await app.runJobs();
    expect(await get('crash_reports/failed')).toHaveLength(1);
    expect((await get('crash_groups')).crash_groups).toMatchObject([{ count: 1, impacted_users: 1 }]);
  });

  test('finds reports by text, ID, user, property, device and any filter', async () => {
    const { send, get } = await crashApp(dialect);
    const one = crash({ userId: 'u-17', model: 'Pixel 7', message: 'cart of größe 7' });
    const other = handledError({ method: 'ship', properties: { plan: 'pro' }, version: '2.0', at: NOW + 1000 });
    await send(ann, one);
    await send(bob, other);
    const found = async (query: Record<string, string>) =>
      (await get('errors/search', query)).errors.map(({ errorId }: { errorId: string }) =>
        errorId === one.id ? 'one' : 'other',
      );
    expect(await found({})).toEqual(['other', 'one']);
    expect(await found({ order: 'asc' })).toEqual(['one', 'other']);
    expect(await found({ sort: 'exceptionMethod', order: 'asc' })).toEqual(['one', 'other']);
    expect(await found({ q: 'GROSSE' })).toEqual([]);
    expect(await found({ q: 'grö pay' })).toEqual(['one']);
    expect(await found({ q: one.id.toUpperCase() })).toEqual(['one']);
    expect(await found({ q: 'u-17' })).toEqual(['one']);
    expect(await found({ q: bob })).toEqual(['other']);
    expect(await found({ filter: "property.plan eq 'pro'" })).toEqual(['other']);
    expect(await found({ filter: "property.plan ne 'pro'" })).toEqual(['one']);
    expect(await found({ filter: "userId eq 'u-17' or appVersion eq '2.0'" })).toEqual(['other', 'one']);
    expect(await found({ filter: "not (deviceName eq 'Pixel 7') " })).toEqual([]);
    expect(await found({ filter: "errorType eq 'handledError'" })).toEqual(['other']);
    expect(await found({ filter: `incidentId eq '${one.id.toUpperCase()}'` })).toEqual(['one']);
    expect(await found({ filter: 'timestamp gt 2026-11-01T09:00:00.500Z' })).toEqual(['other']);
    expect(await found({ filter: "exceptionMethod eq 'ship' and symbolicated eq true" })).toEqual(['other']);
    expect(await found({ filter: "exceptionMethod eq 'ship' or exceptionMethod eq 'pay'" })).toEqual(['other', 'one']);
    expect(await found({ filter: "exceptionMethod eq 'none'" })).toEqual([]);
    expect(await found({ filter: "exceptionMethod ne 'ship'" })).toEqual(['one']);
    expect(await found({ filter: "exceptionMethod eq 'pay' or userId eq 'nobody'" })).toEqual(['one']);
    expect(await found({ filter: 'symbolicated eq false' })).toEqual([]);
    expect(await found({ filter: 'hasAttachments eq true' })).toEqual([]);
    expect(await found({ filter: "property.plan eq 'free'" })).toEqual([]);
    const groups = async (query: Record<string, string>) =>
      (await get('errors/errorGroups/search', query)).errorGroups.map(
        ({ exceptionMethod }: { exceptionMethod: string }) => exceptionMethod,
      );
    expect(await groups({ q: 'cart', sort: 'exceptionMethod', order: 'asc' })).toEqual(['pay', 'ship']);
    expect(await groups({ filter: "userId eq 'u-17'", sort: 'matchingReportsCount' })).toEqual(['pay']);
  });

  test('suggests search values from the newest reports, most frequent first', async () => {
    const { send, get } = await crashApp(dialect);
    expect(await get('crash_reports/values')).toMatchObject({ appVersion: [], property: [] });
    await send(
      ann,
      crash({ model: 'Pixel 7', userId: 'u-17', message: 'the sail is torn' }),
      crash({ model: 'Pixel 7', version: '2.0' }),
    );
    await send(bob, handledError({ model: '', properties: { plan: 'pro' }, version: '2.0' }));
    const { appVersion, deviceName, property, exceptionType } = await get('crash_reports/values');
    expect(appVersion[0]).toEqual({ value: '2.0', count: 2 });
    expect(deviceName).toEqual([{ value: 'Pixel 7', count: 2 }]);
    expect(property).toEqual([{ name: 'plan', value: 'pro', count: 1 }]);
    const { errors } = await get('errors/search', { q: 'u-17' });
    expect(errors).toMatchObject([
      { exceptionType: exceptionType[0].value, exceptionMessage: 'the sail is torn', issueId: expect.any(String) },
    ]);
    expect(await get(`crash_issues/${errors[0].issueId}`)).toMatchObject({ kind: 'crash', count: 2 });
  });

  test('counts only reports of the range and lists its versions, builds, models and systems', async () => {
    const { send, get } = await crashApp(dialect);
    await send(ann, crash({ at: NOW - 5 * DAY }), crash(), handledError({ version: '1.10.0', build: '200' }));
    await send(bob, crash({ model: 'Pixel 8' }));
    const range = { start: day(), end: day() };
    const { errorGroups } = await get('errors/errorGroups', range);
    expect(errorGroups).toMatchObject([
      { count: 2, deviceCount: 2 },
      { count: 1, deviceCount: 1 },
    ]);
    const [{ errorGroupId: id }] = errorGroups;
    const { nextLink, errorGroups: top } = await get('errors/errorGroups', { ...range, $top: '1' });
    expect(top).toHaveLength(1);
    const token = new URL(nextLink).searchParams.get('$skiptoken') ?? '';
    expect((await get('errors/errorGroups', { ...range, $top: '1', $skiptoken: token })).errorGroups[0].count).toBe(1);
    expect(await get('errors/available_versions', { ...range, $inlinecount: 'allpages' })).toEqual({
      versions: ['1.10.0', '1.4.0'],
      total_count: 2,
    });
    expect(await get('errors/available_versions', { ...range, $filter: "contains(appVersion,'1.10')" })).toEqual({
      versions: ['1.10.0'],
    });
    expect(await get('errors/availableAppBuilds', { ...range, version: '1.10.0' })).toEqual({ appBuilds: ['200'] });
    expect(await get(`errors/errorGroups/${id}/models`)).toEqual({
      errorCount: 3,
      models: [
        { modelName: 'Pixel 7', modelCode: 'Pixel 7', errorCount: 2 },
        { modelName: 'Pixel 8', modelCode: 'Pixel 8', errorCount: 1 },
      ],
    });
    expect((await get(`analytics/crash_groups/${id}/models`, { version: '9.9' })).crash_count).toBe(0);
    expect(await get(`analytics/crash_groups/${id}/overall`, { version: '1.4.0' })).toEqual({
      crash_count: 3,
      device_count: 2,
    });
    const { errors } = await get(`errors/errorGroups/${id}/errors`, { ...range, model: 'Pixel 8' });
    expect(errors).toHaveLength(1);
    expect(await get(`errors/errorGroups/${id}/errors/latest`)).toMatchObject({
      name: 'java.lang.IllegalStateException',
    });
    const counts = await get(`errors/errorGroups/${id}/errorCountsPerDay`, { start: day(-5), end: day() });
    expect(counts.errors.map(({ count }: { count: number }) => count)).toEqual([1, 0, 0, 0, 0, 2]);
    expect((await get('versions')).map(({ display_name }: { display_name: string }) => display_name)).toEqual([
      '1.10.0 (200)',
      '1.4.0 (140)',
    ]);
    expect((await get('crashes_info')).has_crashes).toBe(true);
  });

  test('computes crash-free shares from active devices', async () => {
    const { app, send, get } = await crashApp(dialect);
    const session = () => ({ ...crash(), type: 'startSession', sid: randomUUID() });
    for (const install of [bob, cat, randomUUID()]) await send(install, session());
    await send(ann, crash(), crash());
    await send(bob, handledError());
    app.advance(5000);
    await app.runJobs();
    const range = { start: day(-1), end: day() };
    const crashes = await get('errors/errorfreeDevicePercentages', range);
    expect([
      crashes.averagePercentage,
      crashes.dailyPercentages.map(({ percentage }: { percentage: number }) => percentage),
    ]).toEqual([75, [100, 75]]);
    expect(
      (await get('errors/errorfreeDevicePercentages', { ...range, errorType: 'handledError' })).averagePercentage,
    ).toBe(75);
    expect((await get('errors/errorfreeDevicePercentages', { ...range, versions: '9.9' })).averagePercentage).toBe(100);
    const [{ crash_group_id: id }] = (await get('crash_groups')).crash_groups;
    expect((await get(`errors/errorGroups/${id}/errorfreeDevicePercentages`, range)).averagePercentage).toBe(75);
    const overview = await get('crash_overview', range);
    expect(overview).toMatchObject({
      crash_count: 2,
      error_count: 1,
      crash_free_devices: 75,
      versions: [{ version: '1.4.0' }],
    });
    await send(ann, session());
    app.advance(5000);
    await app.runJobs();
    expect(await get('crash_overview/versions', range)).toEqual([
      { version: '1.4.0', app_build: '140', devices: 4, crashed_devices: 1, crash_free_devices: 75 },
    ]);
    expect(await get('crash_overview/versions', { start: day(-9), end: day(-8) })).toEqual([]);
  });

  test('retains reports as long as the app chooses', async () => {
    const { get, call } = await crashApp(dialect);
    expect(await get('errors/retention_settings')).toEqual({ retention_in_days: 90 });
    expect((await call('PUT', 'errors/retention_settings', { body: { retention_in_days: 28 } })).statusCode).toBe(200);
    expect(await get('errors/retention_settings')).toEqual({ retention_in_days: 28 });
    expect((await call('PUT', 'errors/retention_settings', { body: { retention_in_days: 7 } })).statusCode).toBe(400);
  });

  test('retains reports no longer than the server allows', async () => {
    const { get, call } = await crashApp(dialect, { crashesRetentionDays: 60 });
    const refused = await call('PUT', 'errors/retention_settings', { body: { retention_in_days: 90 } });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('for at most 60 days')]);
    expect((await call('PUT', 'errors/retention_settings', { body: { retention_in_days: 28 } })).statusCode).toBe(200);
    expect(await get('errors/retention_settings')).toEqual({ retention_in_days: 28 });
  });

  test('lets viewers read but not change anything, and reveals nothing to strangers', async () => {
    const { app, ada, ref, send, get, url } = await crashApp(dialect);
    const grace = await app.addUser('grace');
    await send(ann, crash());
    const [{ crash_group_id: id }] = (await get('crash_groups')).crash_groups;
    const token = await app.userToken(grace);
    expect((await app.call('GET', url(`crash_groups/${id}`), { token })).statusCode).toBe(404);
    await app.addMember(ref, grace, 'viewer');
    expect((await app.call('GET', url(`crash_groups/${id}`), { token })).statusCode).toBe(200);
    const body = { status: 'closed' };
    expect((await app.call('PATCH', url(`crash_groups/${id}`), { token, body })).statusCode).toBe(403);
    const other = await app.addApp(ada, 'other');
    const elsewhere = `/v0.1/apps/ada/${other.name}/crash_groups/${id}`;
    expect((await app.call('GET', elsewhere, { token: await app.userToken(ada) })).statusCode).toBe(404);
  });
});
