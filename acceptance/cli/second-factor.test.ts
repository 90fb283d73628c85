import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createToken, send } from '../harness/http.ts';
import { runMooring } from '../harness/mooring.ts';
import { admin, startServer } from '../harness/server.ts';

/** The current code of an authenticator app, written for this test: RFC 6238 with a secret in Base32. */
function readCode(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = 0n;
  for (const letter of secret) bits = (bits << 5n) | BigInt(alphabet.indexOf(letter));
  const key = Buffer.from(bits.toString(16).padStart((secret.length * 5) / 4, '0'), 'hex');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('login explains that an account has a second factor, and works with a token', async () => {
  const server = await startServer();
  const scratch = mkdtempSync(path.join(tmpdir(), 'mooring-second-factor-'));
  onTestFinished(async () => {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  });
  const { api_token: token } = await createToken(server);
  const post = (rest: string, body: object) =>
    send('POST', `${server.httpUrl}/v0.1/user/second_factor${rest}`, { token, body });
  const { secret } = (await post('', { password: admin.password })).json<{ secret: string }>();
  expect((await post('/confirm', { code: readCode(secret) })).status).toBe(200);

  const env = { MOORING_CONFIG_DIR: scratch, NODE_EXTRA_CA_CERTS: server.caFile };
  const login = ['login', '--server', server.httpsUrl];
  const byPassword = [...login, '--user', admin.name, '--password-stdin'];
  const refused = await runMooring(byPassword, env, admin.password);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining('This account needs a code of its authenticator app.'),
  ]);
  const wrong = await runMooring(byPassword, env, 'not the password');
  expect(wrong.stderr).toContain('Wrong name or password.');
  expect((await runMooring([...login, '--token-stdin'], env, token)).code).toBe(0);
});
