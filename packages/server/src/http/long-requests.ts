import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
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
  const { socket } = raw;
  // Not every request comes over a network.
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(IDLE_MS);
  raw.once('end', () => socket.setTimeout(0));
}
