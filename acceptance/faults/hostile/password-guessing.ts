import assert from 'node:assert/strict';
import { createToken, createUser, password, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { type Dialect, withInstallation } from '../installation.ts';

/**
 * Free attempts on an account; after that, each attempt waits twice as long as the previous one, from a second to a
 * minute.
 */
const FREE = 10;

function mostAttempts(seconds: number): number {
  let most = FREE;
  let waited = 0;
  for (let wait = 1; waited + wait <= seconds; wait = Math.min(60, wait * 2)) {
    waited += wait;
    most += 1;
  }
  return most;
}

/** Guesses until the next attempt has to wait at least a second, because an ending wait would allow an attempt. */
async function untilLongWait({ httpUrl }: RunningServer): Promise<void> {
  for (;;) {
    const body = { login: 'grace', password: 'one more guess' };
    const { status, headers } = await send('POST', `${httpUrl}/v0.1/sessions`, { body });
    if (status === 429 && Number(headers['retry-after']) > 1) return;
  }
}

/** Guesses the password of an account as fast as the server allows, over many connections. */
export const guessPasswords = (dialect: Dialect, seconds: number): Promise<string> =>
  withInstallation(dialect, async (installation) => {
    const server = await startServer({
      ...installation.settings,
      env: { ...installation.settings.env, MOORING_RATE_LIMIT: '0' },
    });
    try {
      const { api_token } = await createToken(server);
      await createUser(server, api_token, 'grace');
      const start = performance.now();
      const elapsed = () => (performance.now() - start) / 1000;
      const counts = { checked: 0, refused: 0 };
      const guess = async (lane: number) => {
        for (let n = 0; elapsed() < seconds; n++) {
          const body = { login: 'grace', password: `guess ${lane} ${n}` };
          const { status, headers, text } = await send('POST', `${server.httpUrl}/v0.1/sessions`, { body });
          if (status === 401) counts.checked += 1;
          else {
            assert.equal(status, 429, text);
            assert.ok(Number(headers['retry-after']) >= 1, text);
            counts.refused += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, lane) => guess(lane)));
      const most = mostAttempts(elapsed());
      assert.ok(counts.checked <= most, `${counts.checked} guesses were checked; the limit allows ${most}.`);
      await untilLongWait(server);
      const right = await send('POST', `${server.httpUrl}/v0.1/sessions`, { body: { login: 'grace', password } });
      assert.equal(
        right.status,
        429,
        'The right password must be delayed too; otherwise the response would reveal it.',
      );
      return `${dialect}: ${counts.checked} guesses checked in ${elapsed().toFixed(0)} s from 20 connections (the limit allows ${most}), ${counts.refused} refused with 429`;
    } finally {
      await server.stop({ keepData: true });
    }
  });
