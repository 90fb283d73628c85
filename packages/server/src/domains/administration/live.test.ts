import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const idIn = (body: string): string => /^id: (.*)$/m.exec(body)?.[1] ?? '';

eachDatabase('streams of changes', (dialect) => {
  test('report jobs of other processes, to administrators only', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const watched = async (id?: string) =>
      (
        await app.call('GET', '/v0.1/admin/live?seconds=0', {
          token,
          ...(id ? { headers: { 'last-event-id': id } } : {}),
        })
      ).body;
    const first = await watched();
    expect(first).toContain('event: watching\n');
    expect(await watched(idIn(first))).not.toContain('event:');
    await app.queueJob();
    const changed = await watched(idIn(first));
    expect(changed).toContain('event: changed\ndata: {"topics":["jobs"]}\n');
    const graceToken = await app.userToken(await app.addUser('grace'));
    expect((await app.call('GET', '/v0.1/admin/live?seconds=0', { token: graceToken })).statusCode).toBe(403);
  });

  test('report health events without their content', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const watched = async (headers = {}) =>
      (await app.call('GET', '/v0.1/health/live?seconds=0', { token, headers })).body;
    const id = idIn(await watched());
    await app.publish('TRACK-1');
    const changed = await watched({ 'last-event-id': id });
    expect(changed).toContain('event: changed\ndata: {"topics":["events"]}\n');
    expect(changed).not.toContain('TRACK');
  });
});
