import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../kernel/clock.ts';
import { isSecure, sessionCookie } from './credentials.ts';

/** What a handler may say beside its answer, and know beside its input. */
export interface ReplyControls {
  /** The address as it was asked for. */
  readonly url: string;
  setEtag(etag: string): void;
  /** Where what was made is, or where to go on. */
  setLocation(url: string): void;
  /** The answer is about something that did not exist before. */
  setCreated(): void;
  setSession(secret: string, expiresAt: number): void;
  clearSession(): void;
  /** Says how far the work is, to a caller who wants to know. */
  tell(progress: object): void;
  /** Whoever asked is gone, or the server stops. */
  signal(): AbortSignal;
  /** For a stream of events: what its reader heard last. */
  readonly lastEventId: string | undefined;
}

/** No property has a getter: V8 would make a hidden class for each request, which keeps the request until it is collected itself. */
export function replyControls(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): ReplyControls {
  const set = (value: string, maxAge: number) =>
    reply.header('set-cookie', sessionCookie(value, { secure: isSecure(request), maxAge }));
  return {
    url: request.originalUrl,
    setEtag: (etag) => reply.header('etag', etag),
    setLocation: (url) => reply.header('location', url),
    setCreated: () => reply.code(201),
    setSession: (secret, expiresAt) => {
      const now = request.ctx?.clock.now() ?? 0;
      set(secret, Math.floor((expiresAt - now) / SECOND));
    },
    clearSession: () => set('', 0),
    tell: () => undefined,
    signal: () => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return AbortSignal.any([gone.signal, stopping]);
    },
    lastEventId: undefined,
  };
}
