import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startSmtp } from '../../test-support/smtp.ts';
import { linkMailedTo } from '../harness/emails.ts';
import { basic, createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function start(dataDir: string, env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({ dataDir, env });
  cleanUp.push(() => server.stop({ keepData: true }));
  return server;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-invitations-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function inviteGrace(server: RunningServer, token: string): Promise<void> {
  const call = (url: string, body: object) => send('POST', `${server.httpUrl}/v0.1${url}`, { token, body });
  expect((await call('/orgs', { name: 'lighthouse' })).status).toBe(201);
  expect((await call('/orgs/lighthouse/invitations', { user_email: 'grace@example.com' })).status).toBe(204);
}

test('without a mail server the log names the link, the outbox shows it on request, and it works', async () => {
  const server = await start(temporaryFolder(), {});
  const { api_token: ada } = await createToken(server);
  await inviteGrace(server, ada);
  const token = await vi.waitFor(() => {
    const found = /"link":"https:\/\/localhost:\d+\/invitations\/org\/(\w+)"/.exec(server.output())?.[1];
    if (!found) throw new Error('The log has no link yet.');
    return found;
  }, 10_000);
  const outbox = await send('GET', `${server.httpUrl}/v0.1/admin/mails`, { token: ada });
  expect(outbox.text).not.toContain(token);
  const shown = await linkMailedTo(server, ada, 'grace@example.com');
  expect(shown).toBe(`${server.httpsUrl}/invitations/org/${token}`);

  const person = { email: 'grace@example.com', name: 'grace', password: 'correct horse battery' };
  await send('POST', `${server.httpUrl}/v0.1/admin/users`, { token: ada, body: person });
  const { api_token: grace } = await createToken(server, {}, basic(person.email, person.password));
  const url = `${server.httpUrl}/v0.1/user/invitations/orgs/${token}/accept`;
  expect((await send('POST', url, { token: grace, body: {} })).status).toBe(204);
  expect((await send('POST', url, { token: grace, body: {} })).status).toBe(404);
  expect((await send('GET', `${server.httpUrl}/v0.1/orgs/lighthouse`, { token: grace })).status).toBe(200);
});

test('a server that is killed before it sent an email sends it once after its restart', async () => {
  const folder = temporaryFolder();
  const away = await startSmtp();
  await away.stop();
  const env = { MOORING_SMTP_URL: away.url, MOORING_SMTP_TLS: 'optional' };
  const first = await start(folder, env);
  await inviteGrace(first, (await createToken(first)).api_token);
  await vi.waitFor(() => expect(first.output()).toContain('job failed'), 10_000);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');

  const smtp = await startSmtp({ port: away.port });
  cleanUp.push(smtp.stop);
  const second = await start(folder, env);
  await vi.waitFor(() => expect(second.output()).toContain('job done'), 30_000);
  expect(smtp.received.map(({ to }) => to)).toEqual([['grace@example.com']]);
  expect(smtp.received[0]?.data).toContain('/invitations/org/');
});
