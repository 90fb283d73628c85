import { expect, test } from 'vitest';
import type { Actor } from '../../context.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { type CachedActor, createActorCache } from './actor-cache.ts';

const known = (appId: string): CachedActor => {
  const actor: Actor = { kind: 'app', appId, tokenId: 't', tokenScope: 'all', createdBy: { id: 'u', name: 'ada' } };
  return { actor, expiresAt: Number.POSITIVE_INFINITY };
};

const token = (secret: string) => ({ kind: 'token', secret }) as const;

/** A cache over a database of credentials that counts lookups. */
function cacheOver(credentials: Map<string, CachedActor>) {
  const state = { version: 1, loads: 0 };
  const remember = createActorCache();
  const resolve = async (secret: string) =>
    remember(state.version, token(secret), async () => {
      state.loads += 1;
      return credentials.get(secret);
    });
  return { state, resolve };
}

test('loads a credential once while the version is unchanged', async () => {
  const { state, resolve } = cacheOver(new Map([['secret', known('a')]]));
  expect(await resolve('secret')).toEqual(known('a'));
  expect(await resolve('secret')).toEqual(known('a'));
  expect(state.loads).toBe(1);
});

test('maps each credential to its own actor', async () => {
  const { resolve } = cacheOver(
    new Map([
      ['one', known('a')],
      ['other', known('b')],
    ]),
  );
  expect([await resolve('one'), await resolve('other'), await resolve('one')]).toEqual([
    known('a'),
    known('b'),
    known('a'),
  ]);
});

test('never mixes up credentials of different kinds', async () => {
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

test('rejects a revoked credential on the next request after grants change', async () => {
  const credentials = new Map([['secret', known('a')]]);
  const { state, resolve } = cacheOver(credentials);
  await resolve('secret');
  credentials.delete('secret');
  state.version += 1;
  expect(await resolve('secret')).toBeUndefined();
});

test('does not cache an unknown credential, which may be created at any moment', async () => {
  const credentials = new Map<string, CachedActor>();
  const { resolve } = cacheOver(credentials);
  expect(await resolve('secret')).toBeUndefined();
  credentials.set('secret', known('a'));
  expect(await resolve('secret')).toEqual(known('a'));
});

test('does not cache data read before a change that another request noticed', async () => {
  const remember = createActorCache();
  const slow = Promise.withResolvers<CachedActor | undefined>();
  const before = remember(1, token('secret'), () => slow.promise);
  await remember(2, token('another'), async () => known('b'));
  slow.resolve(known('a'));
  await before;
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
});

test('does not use data read before an unnoticed change after that change', async () => {
  const remember = createActorCache();
  await remember(1, token('secret'), async () => known('a'));
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
});

test('ignores a late request with an older version', async () => {
  const remember = createActorCache();
  await remember(2, token('secret'), async () => undefined);
  await remember(1, token('secret'), async () => known('a'));
  expect(await remember(2, token('secret'), async () => undefined)).toBeUndefined();
});

test('bounds memory: evicts the oldest credential, which can be loaded again', async () => {
  const credentials = new Map(Array.from({ length: 10_001 }, (_, at) => [`secret ${at}`, known(`${at}`)] as const));
  const { state, resolve } = cacheOver(credentials);
  for (const secret of credentials.keys()) await resolve(secret);
  expect(state.loads).toBe(10_001);
  await resolve('secret 10000');
  expect(state.loads).toBe(10_001);
  expect(await resolve('secret 0')).toEqual(known('0'));
  expect(state.loads).toBe(10_002);
});
