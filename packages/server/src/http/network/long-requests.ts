import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { SECOND } from '../../kernel/clock.ts';

/** Maximum pause while a large file is received, however long all of it takes. */
const IDLE_MS = 60 * SECOND;

const long = new WeakSet<IncomingMessage>();

/** True for a request that is still being received and has no time limit. */
export const mayTakeLong = (request: IncomingMessage | undefined): boolean =>
  request !== undefined && long.has(request) && !request.complete;

/** Lifts the time limit of a request while data keeps arriving. */
export function letTakeLong({ raw }: FastifyRequest): void {
  long.add(raw);
  const { socket } = raw;
  // Injected requests of tests have no socket.
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(IDLE_MS);
  raw.once('end', () => socket.setTimeout(0));
}
