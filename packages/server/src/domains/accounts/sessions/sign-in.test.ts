import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { sweepSignIns } from './sessions.ts';
import { countAttempt } from './sign-in.ts';

const signIn = async (app: TestApp, secret = password, remoteAddress = '192.0.2.1') => {
  const response = await app.call('POST', '/v0.1/sessions', {
    body: { login: 'ada', password: secret },
    remoteAddress,
  });
  return response.statusCode;
};

/** Counts attempts, each as soon as it is allowed, and returns the seconds that each had to wait. */
async function waits(app: TestApp, kind: Parameters<typeof countAttempt>[1], attempts: number): Promise<number[]> {
  const attempt = () => tx(systemCtx(app.deps), (ctx) => countAttempt(ctx, kind, kind, 'tries'));
  const seconds: number[] = [];
  for (let n = 0; n < attempts; n++) {
    const refused: unknown = await attempt().catch((error: unknown) => error);
    const wait = refused instanceof Failure ? Number(refused.headers['retry-after']) : 0;
    seconds.push(wait);
    if (wait > 0) {
      app.advance(wait * SECOND - 1);
      await expect(attempt()).rejects.toThrow('Too many tries');
      app.advance(1);
      await attempt();
    }
  }
  return seconds;
}

eachDatabase('attempts', (dialect) => {
  const times = (count: number) => Array.from({ length: count }, () => 0);

  test.each([
    ['account', 10, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['address', 30, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
    ['reset', 3, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600]],
    ['signUp', 10, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600]],
  ] as const)(
    'by %s: %i are free, then each wait is twice the previous one, up to a limit',
    async (kind, free, expected) => {
      const app = await testApp(dialect);
      expect(await waits(app, kind, free + expected.length)).toEqual([...times(free), ...expected]);
    },
  );

  test('expire an hour after the last failure', async () => {
    const app = await testApp(dialect);
    await waits(app, 'account', 12);
    app.advance(HOUR - 1);
    expect(await waits(app, 'account', 2)).toEqual([0, 8]);
    app.advance(HOUR);
    expect(await waits(app, 'account', 11)).toEqual([...times(10), 1]);
  });

  test('from a machine whose clock is ahead count only if the difference is less than a minute', async () => {
    const app = await testApp(dialect);
    await waits(app, 'account', 10);
    app.advance(-MINUTE);
    expect(await waits(app, 'account', 1)).toEqual([61]);
    await waits(app, 'signUp', 10);
    app.advance(-MINUTE - 1);
    expect(await waits(app, 'signUp', 1)).toEqual([0]);
  });

  test('of an attacker do not lock out accounts that have signed in from the same address before', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    await app.addUser('grace');
    const as = async (login: string, secret = password) =>
      (await app.call('POST', '/v0.1/sessions', { body: { login, password: secret } })).statusCode;
    expect(await as('ada')).toBe(201);
    const guesses = [];
    for (let n = 0; n < 40; n++) guesses.push(await as(`guess-${n}`, 'wrong'));
    expect(guesses.slice(-5)).toEqual(Array(5).fill(429));
    expect([await as('grace'), await as('ada')]).toEqual([429, 201]);
    // Failures on the attacker's own account count like any others.
    for (let n = 0; n < 11; n++) await as('ada', 'wrong');
    expect(await as('ada')).toBe(429);
  });

  test('make an account familiar at an address for 30 days', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    expect(await signIn(app)).toBe(201);
    const subjects = async () =>
      (await app.database.query((q) => q.selectFrom('sign_in_failures').select('subject')))
        .map(({ subject }) => subject.split(':')[0])
        .filter((subject) => subject === 'familiar');
    app.advance(30 * DAY);
    await sweepSignIns(app.deps);
    expect(await subjects()).toEqual(['familiar']);
    app.advance(1);
    await sweepSignIns(app.deps);
    expect(await subjects()).toEqual([]);
  });

  test('that succeed refund the address and clear the account', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (let n = 0; n < 9; n++) expect(await signIn(app, 'not the password')).toBe(401);
    for (let n = 0; n < 25; n++) expect(await signIn(app)).toBe(201);
    for (let n = 0; n < 9; n++) expect(await signIn(app, 'not the password')).toBe(401);
    const counts = await app.database.query((q) => q.selectFrom('sign_in_failures').select('failures'));
    expect(counts.map(({ failures }) => failures).sort()).toEqual([0, 9, 9]);
  });

  test('without a password check do not count', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const hashes = await app.database.query((q) => q.selectFrom('users').select('password_hash'));
    const setHash = (password_hash: string) =>
      app.database.transaction((db) =>
        db.query((q) => q.updateTable('users').set({ password_hash }).where('id', '=', ada.id)),
      );
    await setHash('$argon2id$v=19$m=0,t=0,p=0$AAAA$AAAA');
    for (let n = 0; n < 11; n++) expect(await signIn(app)).toBe(500);
    await setHash(hashes[0]?.password_hash ?? '');
    const counts = await app.database.query((q) => q.selectFrom('sign_in_failures').select('failures'));
    expect(counts.map(({ failures }) => failures)).toEqual([0, 0]);
    expect(await signIn(app)).toBe(201);
  });
});
