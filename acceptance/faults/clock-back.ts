import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createToken, send } from '../harness/http.ts';
import { admin, startServer } from '../harness/server.ts';
import { withInstallation } from './installation.ts';

const libraries = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`);
const event = '/providers/Vendor.ResourceHealth/events/CLOCK-1?api-version=2024-02-01';
const impact = [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North' }] }];

/** Sets the clock back by an hour under a running server, and later corrects it. */
export async function setClockBack(): Promise<string> {
  const library = libraries.find((file) => existsSync(file));
  if (!library)
    return 'skipped: libfaketime, which changes the clock of a single process, is not installed (apt install faketime)';
  return withInstallation('sqlite', async (installation) => {
    const file = path.join(installation.settings.dataDir, 'clock');
    writeFileSync(file, '+0\n');
    const faked = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const server = await startServer({ ...installation.settings, env: faked });
    try {
      const { api_token: token } = await createToken(server);
      const request = async (method: string, address: string, body?: object): Promise<Answer> => {
        const answer = await send(method, server.httpUrl + address, { token, ...(body ? { body } : {}) });
        assert.ok(answer.status < 300, `${method} ${address}: ${answer.status} ${answer.text}`);
        return answer;
      };
      const getTime = (answer: Answer): number => Date.parse(String(answer.headers.date));
      const signIn = (password: string) =>
        send('POST', `${server.httpUrl}/v0.1/sessions`, { body: { login: admin.name, password } });
      const updated = (answer: Answer) =>
        Date.parse(answer.json<{ properties: { lastUpdateTime: string } }>().properties.lastUpdateTime);
      const mailed = async (email: string) => {
        const { values } = (await request('GET', '/v0.1/admin/mails')).json<{ values: { to: string }[] }>();
        return (
          values.some(({ to }) => to === email) &&
          (await installation.rows(`SELECT id FROM jobs WHERE name IN ('mail.send', 'mail.deliver')`)).length === 0
        );
      };

      await request('POST', '/v0.1/orgs', { name: 'harbour' });
      const published = await request('PUT', event, { properties: { eventType: 'RCA', title: 'Why', impact } });
      assert.equal((await signIn('not the password')).status, 401);
      const before = getTime(published);
      writeFileSync(file, '-1h\n');
      // The server caches the Date header for a second.
      await sleep(1200);
      const stepped = getTime(await request('GET', '/v0.1/user'));
      assert.ok(stepped < before - 3_000_000, 'The clock was not set back.');
      assert.equal((await signIn(admin.password)).status, 201);
      const changed = await request('PATCH', event, { properties: { title: 'Why, again' } });
      assert.ok(
        updated(changed) > updated(published),
        'The change has an earlier time than the original, so a client that polls by time would miss it.',
      );
      const { api_token } = (await request('POST', '/v0.1/api_tokens', {})).json<{ api_token: string }>();
      assert.equal((await send('GET', `${server.httpUrl}/v0.1/user`, { token: api_token })).status, 200);
      await request('POST', '/v0.1/orgs/harbour/invitations', { user_email: 'back@example.com' });
      for (let tries = 0; !(await mailed('back@example.com')); tries++) {
        assert.ok(tries < 1200, 'The email was not sent after the clock was set back.');
        await sleep(50);
      }
      writeFileSync(file, '+0\n');
      await sleep(1200);
      assert.ok(getTime(await request('GET', '/v0.1/user')) > before - 60_000);
      await request('PATCH', event, { properties: { title: 'Why, at last' } });
      assert.equal((await signIn(admin.password)).status, 201);
      return 'the clock of a running server was set back by an hour and later corrected: sign-in, tokens, emails and the order of changes kept working';
    } finally {
      await server.stop({ keepData: true });
    }
  });
}
