import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Failure, statusOf } from '../kernel/errors.ts';
import { announceRetirement, refuseWhenRetired, retirementNotice } from './retirement.ts';

const DATE = '2030-01-01';
const day = Date.parse(`${DATE}T00:00:00Z`);

async function serve(date: string | undefined, now = 0) {
  const app = fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Failure ? statusOf[error.code] : 500).send({ message: (error as Error).message }),
  );
  announceRetirement(app, date);
  refuseWhenRetired(app, date, { now: () => now });
  for (const path of ['/v0.1/apps', '/v0.1', '/healthz']) app.get(path, async () => 'ok');
  return async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    return { statusCode, sunset: headers.sunset, deprecation: headers.deprecation, body };
  };
}

test('without a date nothing is announced, and nothing is refused', async () => {
  const ask = await serve(undefined, Number.MAX_SAFE_INTEGER);
  expect(await ask('/v0.1/apps')).toEqual({ statusCode: 200, sunset: undefined, deprecation: undefined, body: 'ok' });
});

test('the date stands on every answer of the API, and on no other', async () => {
  const ask = await serve(DATE);
  expect(await ask('/v0.1/apps')).toMatchObject({
    statusCode: 200,
    sunset: 'Tue, 01 Jan 2030 00:00:00 GMT',
    deprecation: '@1893456000',
  });
  for (const url of ['/healthz', '/v0.1']) expect(await ask(url)).toMatchObject({ sunset: undefined, statusCode: 200 });
});

test('from that day on the API refuses, and the rest goes on', async () => {
  expect((await (await serve(DATE, day - 1))('/v0.1/apps')).statusCode).toBe(200);
  const ask = await serve(DATE, day);
  const refused = await ask('/v0.1/apps');
  expect([refused.statusCode, refused.body]).toEqual([410, expect.stringContaining('retired on 2030-01-01')]);
  expect((await ask('/healthz')).statusCode).toBe(200);
});

test('the documents say the day', () => {
  expect(retirementNotice(DATE)).toContain('retires on 2030-01-01');
});
