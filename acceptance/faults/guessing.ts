import assert from 'node:assert/strict';
import { createToken, createUser, password, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { type Dialect, withInstallation } from './installation.ts';

/** Free attempts on an account; after them each has to wait twice as long as the one before, from a second to a minute. */
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

/** Guesses until the next attempt has to wait for at least another second: a wait that just ends would let one through. */
async function untilLongWait({ httpUrl }: RunningServer): Promise<void> {
  for (;;) {
    const body = { login: 'grace', password: 'one more guess' };
    const { status, headers } = await send('POST', `${httpUrl}/v0.1/sessions`, { body });
    if (status === 429 && Number(headers['retry-after']) > 1) return;
  }
}

/** Guesses the password of an account as fast as the server lets, from many connections at once. */
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
      assert.ok(counts.checked <= most, `${counts.checked} guesses were checked; the limit lets ${most} through.`);
      await untilLongWait(server);
      const right = await send('POST', `${server.httpUrl}/v0.1/sessions`, { body: { login: 'grace', password } });
      assert.equal(right.status, 429, 'The right password must wait too, or it would tell itself apart.');
      return `${dialect}: ${counts.checked} guesses checked in ${elapsed().toFixed(0)} s from 20 connections (the limit lets ${most} through), ${counts.refused} refused with 429`;
    } finally {
      await server.stop({ keepData: true });
    }
  });
