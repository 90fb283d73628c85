import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../kernel/clock.ts';
import { isSecure, sessionCookie } from './credentials.ts';

/** What a handler may say beside its answer, and know beside its input. */
export interface ReplyControls {
  /** The address as it was asked for. */
  readonly url: string;
  setEtag(etag: string): void;
  /** The answer is about something that did not exist before. */
  setCreated(): void;
  setSession(secret: string, expiresAt: number): void;
  clearSession(): void;
  /** Says how far the work is, to a caller who wants to know. */
  tell(progress: object): void;
  /** For a stream of events: it has ended, and what its reader heard last. */
  readonly signal: AbortSignal;
  readonly lastEventId: string | undefined;
}

const neverEnding = new AbortController().signal;

export function replyControls(request: FastifyRequest, reply: FastifyReply): ReplyControls {
  const set = (value: string, maxAge: number) =>
    reply.header('set-cookie', sessionCookie(value, { secure: isSecure(request), maxAge }));
  return {
    url: request.originalUrl,
    setEtag: (etag) => reply.header('etag', etag),
    setCreated: () => reply.code(201),
    setSession: (secret, expiresAt) => {
      const now = request.ctx?.clock.now() ?? 0;
      set(secret, Math.floor((expiresAt - now) / SECOND));
    },
    clearSession: () => set('', 0),
    tell: () => undefined,
    signal: neverEnding,
    lastEventId: undefined,
  };
}
