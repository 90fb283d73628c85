import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { connections, startTracker } from '../../../test/harness/services/bug-trackers.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { followTickets, ticketsFollow } from './ticket-states.ts';

const B = '/v0.1/apps/ada/compass';

async function withFeedback(dialect: DialectName) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], publicUrl: 'https://mooring.example.com' });
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  await app.addApp(ada, 'compass');
  const request = async (method: string, path: string, body?: object) => {
    const response = await app.call(method, `${B}/${path}`, { token, ...(body ? { body } : {}) });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const { app_secret } = (await app.call('GET', B, { token })).json();
  const body = { text: 'Upside down\n@everyone ```', name: 'Grace', email: 'grace@example.org', version: '2.0.1' };
  const sent = await app.call('POST', '/v0.1/public/feedback', { headers: { 'app-secret': app_secret }, body });
  return { app, request, id: sent.json().id as string };
}

eachDatabase('tickets of feedback', (dialect) => {
  test('are created once, without the sender, and close the feedback', async () => {
    const { app, request, id } = await withFeedback(dialect);
    expect((await request('POST', `feedback/${id}/ticket`, {})).status).toBe(409);
    const { tickets, base_url } = await startTracker('github');
    await request('PUT', 'bugtracker', { ...connections.github, base_url });
    await app.runJobs();
    expect((await request('GET', `feedback/${id}/ticket`)).status).toBe(404);
    expect((await request('POST', `feedback/${id}/ticket`, {})).body).toMatchObject({ state: 'waiting' });
    await request('POST', `feedback/${id}/ticket`, {});
    await app.runJobs();
    expect((await request('GET', `feedback/${id}/ticket`)).body).toMatchObject({ state: 'open', title: 'Feedback' });
    expect(tickets).toHaveLength(1);
    const text = JSON.stringify(tickets[0]);
    expect(text).toContain('Upside down');
    expect(text).not.toContain('Grace');
    expect(text).not.toContain('grace@example.org');
    for (const ticket of tickets) ticket.isClosed = true;
    app.advance(ticketsFollow.every ?? 0);
    await followTickets(systemCtx(app.deps));
    await app.runJobs();
    expect((await request('GET', `feedback/${id}`)).body.state).toBe('closed');
    expect((await request('DELETE', `feedback/${id}/ticket`)).status).toBe(204);
    expect((await request('GET', `feedback/${id}/ticket`)).status).toBe(404);
  });
});
