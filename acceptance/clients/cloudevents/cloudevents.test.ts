import { createRequire } from 'node:module';
import path from 'node:path';
import { announcements, announcementTypes } from '@mooring/contract';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { receiver } from '../../../test-support/webhook-receiver.ts';
import { createToken, send } from '../../harness/http.ts';
import { admin, startServer } from '../../harness/server.ts';

/** The part of the library that the test uses. */
interface Library {
  HTTP: {
    isEvent(message: object): boolean;
    toEvent(message: object): { type: string; id: string; subject: string; data: object; validate(): boolean };
  };
}
const { HTTP } = createRequire(path.join(import.meta.dirname, 'package.json'))('cloudevents') as Library;

test('the libraries of CloudEvents and Standard Webhooks accept the message of every event', async () => {
  const server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8', MOORING_RATE_LIMIT: '0' } });
  onTestFinished(async () => void (await server.stop()));
  const { api_token: token } = await createToken(server);
  const request = async <T>(rest: string, body: object): Promise<T> => {
    const answer = await send('POST', `${server.httpUrl}/v0.1${rest}`, { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json<T>();
  };
  await request('/apps', { name: 'buoy', display_name: 'Buoy', os: 'Android', platform: 'Java' });
  await request('/orgs', { name: 'harbour', display_name: 'Harbour' });
  for (const level of ['app', 'org'] as const) {
    const target = await receiver();
    const types = announcementTypes.filter((type) => announcements[type].level === level);
    const home = level === 'app' ? `/apps/${admin.name}/buoy/webhooks` : '/orgs/harbour/webhooks';
    const hook = await request<{ id: string; secret: string }>(home, { url: target.url, event_types: types });
    for (const event_type of types) await request(`${home}/${hook.id}/test`, { event_type });
    await expect.poll(() => target.received.length, { timeout: 30_000 }).toBe(types.length);
    const events = target.received.map(({ headers, body }) => {
      new Webhook(hook.secret).verify(body, headers as Record<string, string>);
      expect(HTTP.isEvent({ headers, body })).toBe(true);
      const event = HTTP.toEvent({ headers, body });
      expect([event.validate(), event.id]).toEqual([true, headers['webhook-id']]);
      return event;
    });
    expect(events.map(({ type }) => type).sort()).toEqual(types.map((type) => `mooring.${type}`).sort());
    const lacking = { headers: target.received[0]?.headers, body: '{"specversion":"1.0"}' };
    expect(() => HTTP.toEvent(lacking).validate()).toThrow();
  }
});
