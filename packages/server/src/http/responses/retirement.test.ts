import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Failure, statusByCode } from '../../kernel/errors.ts';
import { announceRetirement, refuseWhenRetired, retirementNotice } from './retirement.ts';

const DATE = '2030-01-01';
const day = Date.parse(`${DATE}T00:00:00Z`);

async function serve(date: string | undefined, now = 0) {
  const app = fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Failure ? statusByCode[error.code] : 500).send({ message: (error as Error).message }),
  );
  announceRetirement(app, date);
  refuseWhenRetired(app, date, { now: () => now });
  for (const path of ['/v0.1/apps', '/v0.1', '/healthz']) app.get(path, async () => 'ok');
  return async (url: string) => {
    const { statusCode, headers, body } = await app.inject(url);
    return { statusCode, sunset: headers.sunset, deprecation: headers.deprecation, body };
  };
}

test('announces and refuses nothing without a date', async () => {
  const request = await serve(undefined, Number.MAX_SAFE_INTEGER);
  expect(await request('/v0.1/apps')).toEqual({
    statusCode: 200,
    sunset: undefined,
    deprecation: undefined,
    body: 'ok',
  });
});

test('announces the date in every response of the API, and in no other', async () => {
  const request = await serve(DATE);
  expect(await request('/v0.1/apps')).toMatchObject({
    statusCode: 200,
    sunset: 'Tue, 01 Jan 2030 00:00:00 GMT',
    deprecation: '@1893456000',
  });
  for (const url of ['/healthz', '/v0.1'])
    expect(await request(url)).toMatchObject({ sunset: undefined, statusCode: 200 });
});

test('refuses only the API from that day on', async () => {
  expect((await (await serve(DATE, day - 1))('/v0.1/apps')).statusCode).toBe(200);
  const request = await serve(DATE, day);
  const refused = await request('/v0.1/apps');
  expect([refused.statusCode, refused.body]).toEqual([410, expect.stringContaining('was shut down on 2030-01-01')]);
  expect((await request('/healthz')).statusCode).toBe(200);
});

test('the API description contains the date', () => {
  expect(retirementNotice(DATE)).toContain('shuts down on 2030-01-01');
});
