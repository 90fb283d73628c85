import type { FastifyInstance } from 'fastify';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { Failure } from '../kernel/errors.ts';

export const retirementNotice = (date: string): string =>
  `**This API retires on ${date}** and can be used until then; from that day on every operation answers 410.`;

const isApi = (url: string): boolean => url.startsWith('/v0.1/');
const timeOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Announces the operator's retirement date on every answer of the API. */
export function announceRetirement(app: FastifyInstance, date: string | undefined): void {
  if (date === undefined) return;
  const headers = { sunset: new Date(timeOf(date)).toUTCString(), deprecation: `@${timeOf(date) / SECOND}` };
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) reply.headers(headers);
    done();
  });
}

/** From that date on, the API refuses. */
export function refuseWhenRetired(app: FastifyInstance, date: string | undefined, clock: Clock): void {
  if (date === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const isRetired = isApi(request.url) && clock.now() >= timeOf(date);
    done(isRetired ? new Failure('Gone', `This API was retired on ${date}.`) : undefined);
  });
}
