import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/errors.ts';

export const retirementNotice = (date: string): string =>
  `**This API retires on ${date}** and can be used until then; from that day on every operation answers 410.`;

/** Announces the operator's retirement date on every answer of the API, and from that date on refuses. */
export function announceRetirement(app: FastifyInstance, date: string | undefined, clock: Clock): void {
  if (date === undefined) return;
  const time = Date.parse(`${date}T00:00:00Z`);
  const sunset = new Date(time).toUTCString();
  const deprecation = `@${time / 1000}`;
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v0.1/')) return done();
    reply.header('sunset', sunset).header('deprecation', deprecation);
    done(clock.now() < time ? undefined : new Failure('Gone', `This API was retired on ${date}.`));
  });
}
