import { expect, test } from 'vitest';
import type { Actor } from '../context.ts';
import { sha256 } from '../kernel/crypto.ts';
import { createActorCache, type Known } from './actor-cache.ts';

const known = (appId: string): Known => {
  const actor: Actor = { kind: 'app', appId, tokenId: 't', reach: 'all', createdBy: { id: 'u', name: 'ada' } };
  return { actor, expiresAt: Number.POSITIVE_INFINITY };
};

/** A cache over a database of credentials that counts how often it is asked. */
function cacheOver(credentials: Map<string, Known>) {
  const state = { epoch: 1, loads: 0 };
  const remember = createActorCache(async () => state.epoch);
  const ask = (secret: string) =>
    remember('token', secret, async () => {
      state.loads += 1;
      return credentials.get(secret);
    });
  return { state, ask };
}

test('a credential is loaded once as long as nobody’s authority changes', async () => {
  const { state, ask } = cacheOver(new Map([['secret', known('a')]]));
  expect(await ask('secret')).toEqual(known('a'));
  expect(await ask('secret')).toEqual(known('a'));
  expect(state.loads).toBe(1);
});

test('each credential stands for its own actor', async () => {
  const { ask } = cacheOver(
    new Map([
      ['one', known('a')],
      ['other', known('b')],
    ]),
  );
  expect([await ask('one'), await ask('other'), await ask('one')]).toEqual([known('a'), known('b'), known('a')]);
});

test('a credential is never taken for one of another kind, however it is spelled', async () => {
  const remember = createActorCache(async () => 1);
  const kinds = ['token', 'session', 'bearer'] as const;
  for (const kind of kinds) await remember(kind, 'secret', async () => known(kind));
  for (const kind of kinds) expect(await remember(kind, 'secret', async () => undefined)).toEqual(known(kind));
  for (const [kind, other] of kinds.flatMap((kind) => kinds.map((other) => [kind, other] as const))) {
    for (const spelled of [`${other}:secret`, `${other} secret`, `${other} ${sha256('secret')}`, sha256('secret')]) {
      expect(await remember(kind, spelled, async () => undefined)).toBeUndefined();
    }
  }
});

test('after a change of authority a revoked credential is gone on the next request', async () => {
  const credentials = new Map([['secret', known('a')]]);
  const { state, ask } = cacheOver(credentials);
  await ask('secret');
  credentials.delete('secret');
  state.epoch += 1;
  expect(await ask('secret')).toBeUndefined();
});

test('an unknown credential is not remembered: it may be made in the next moment', async () => {
  const credentials = new Map<string, Known>();
  const { ask } = cacheOver(credentials);
  expect(await ask('secret')).toBeUndefined();
  credentials.set('secret', known('a'));
  expect(await ask('secret')).toEqual(known('a'));
});

test('what was read before a change that another request noticed is not kept', async () => {
  let epoch = 1;
  const remember = createActorCache(async () => epoch);
  const slow = Promise.withResolvers<Known | undefined>();
  const started = Promise.withResolvers<void>();
  const before = remember('token', 'secret', () => {
    started.resolve();
    return slow.promise;
  });
  await started.promise;
  epoch = 2;
  await remember('token', 'another', async () => known('b'));
  slow.resolve(known('a'));
  await before;
  expect(await remember('token', 'secret', async () => undefined)).toBeUndefined();
});

test('what was read before a change that nobody has noticed yet is not used after it', async () => {
  let epoch = 1;
  const remember = createActorCache(async () => epoch);
  await remember('token', 'secret', async () => {
    epoch = 2;
    return known('a');
  });
  expect(await remember('token', 'secret', async () => undefined)).toBeUndefined();
});

test('a late answer about an older epoch brings nothing back', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>(), Promise.resolve(2)];
  let asked = 0;
  const remember = createActorCache(async () => {
    const answer = answers[asked];
    asked += 1;
    return answer && 'promise' in answer ? answer.promise : (answer ?? 2);
  });
  const late = remember('token', 'secret', async () => undefined);
  const early = remember('token', 'secret', async () => undefined);
  (answers[1] as PromiseWithResolvers<number>).resolve(2);
  expect(await early).toBeUndefined();
  (answers[0] as PromiseWithResolvers<number>).resolve(1);
  expect(await late).toBeUndefined();
  expect(await remember('token', 'secret', async () => undefined)).toBeUndefined();
});

test('when the epoch cannot be read, nothing is answered from memory', async () => {
  let broken = false;
  const remember = createActorCache(async () => {
    if (broken) throw new Error('the database is away');
    return 1;
  });
  await remember('token', 'secret', async () => known('a'));
  broken = true;
  await expect(remember('token', 'secret', async () => known('a'))).rejects.toThrow('the database is away');
});

test('memory is bounded: the oldest credential makes room and can be loaded again', async () => {
  const credentials = new Map(Array.from({ length: 10_001 }, (_, at) => [`secret ${at}`, known(`${at}`)] as const));
  const { state, ask } = cacheOver(credentials);
  for (const secret of credentials.keys()) await ask(secret);
  expect(state.loads).toBe(10_001);
  await ask('secret 10000');
  expect(state.loads).toBe(10_001);
  expect(await ask('secret 0')).toEqual(known('0'));
  expect(state.loads).toBe(10_002);
});
