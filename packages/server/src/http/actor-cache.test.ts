import { expect, test } from 'vitest';
import type { Actor } from '../context.ts';
import { sha256 } from '../kernel/crypto.ts';
import { createActorCache, type Known } from './actor-cache.ts';

const known = (appId: string): Known => {
  const actor: Actor = { kind: 'app', appId, tokenId: 't', reach: 'all', createdBy: { id: 'u', name: 'ada' } };
  return { actor, expiresAt: Number.POSITIVE_INFINITY };
};

const token = (secret: string) => ({ kind: 'token', secret }) as const;

/** A cache over a database of credentials that counts how often it is asked. */
function cacheOver(credentials: Map<string, Known>) {
  const state = { version: 1, loads: 0 };
  const remember = createActorCache();
  const ask = async (secret: string) =>
    remember(state.version, token(secret), async () => {
      state.loads += 1;
      return credentials.get(secret);
    });
  return { state, ask };
}

test('a credential is loaded once as long as the version stands still', async () => {
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
  const remember = createActorCache();
  const kinds = ['token', 'session', 'bearer'] as const;
  for (const kind of kinds) await remember(1, { kind, secret: 'secret' }, async () => known(kind));
  for (const kind of kinds)
    expect(await remember(1, { kind, secret: 'secret' }, async () => undefined)).toEqual(known(kind));
  for (const [kind, other] of kinds.flatMap((kind) => kinds.map((other) => [kind, other] as const))) {
    for (const spelled of [`${other}:secret`, `${other} secret`, `${other} ${sha256('secret')}`, sha256('secret')]) {
      expect(await remember(1, { kind, secret: spelled }, async () => undefined)).toBeUndefined();
    }
  }
});

test('after a change of grants a revoked credential is gone on the next request', async () => {
  const credentials = new Map([['secret', known('a')]]);
  const { state, ask } = cacheOver(credentials);
  await ask('secret');
  credentials.delete('secret');
  state.version += 1;
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
  const remember = createActorCache();
  const slow = Promise.withResolvers<Known | undefined>();
  const before = remember(1, token('secret'), () => slow.promise);
  await remember(2, token('another'), async () => known('b'));
  slow.resolve(known('a'));
  await before;
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
});

test('what was read before a change that nobody has noticed yet is not used after it', async () => {
  const remember = createActorCache();
  await remember(1, token('secret'), async () => known('a'));
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
});

test('a late question about an older version brings nothing back', async () => {
  const remember = createActorCache();
  await remember(2, token('secret'), async () => undefined);
  await remember(1, token('secret'), async () => known('a'));
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
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
