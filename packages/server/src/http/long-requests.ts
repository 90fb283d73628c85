import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { SECOND } from '../kernel/clock.ts';

/** Something of a large file must come this often, however long all of it takes. */
const IDLE_MS = 60 * SECOND;

const long = new WeakSet<IncomingMessage>();

/** Whether the time that a request may take does not count for this one, which is still arriving. */
export const mayTakeLong = (request: IncomingMessage | undefined): boolean =>
  request !== undefined && long.has(request) && !request.complete;

/** Lets the body of a request take as long as it needs, as long as something comes. */
export function letTakeLong({ raw }: FastifyRequest): void {
  long.add(raw);
  // One that was put in without a connection has no such time.
  raw.socket.setTimeout?.(IDLE_MS);
  raw.once('end', () => raw.socket.setTimeout?.(0));
}
