import type { FastifyInstance } from 'fastify';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';

export const retirementNotice = (date: string): string =>
  `**This API shuts down on ${date}.** From then on, every operation returns 410.`;

const isApi = (url: string): boolean => url.startsWith('/v0.1/');
const parseDate = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Announces the operator's retirement date in every response of the API. */
export function announceRetirement(app: FastifyInstance, date: string | undefined): void {
  if (date === undefined) return;
  const headers = { sunset: new Date(parseDate(date)).toUTCString(), deprecation: `@${parseDate(date) / SECOND}` };
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) reply.headers(headers);
    done();
  });
}

/** Refuses API requests from that date on. */
export function refuseWhenRetired(app: FastifyInstance, date: string | undefined, clock: Clock): void {
  if (date === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const isRetired = isApi(request.url) && clock.now() >= parseDate(date);
    done(isRetired ? new Failure('Gone', `This API was shut down on ${date}.`) : undefined);
  });
}
