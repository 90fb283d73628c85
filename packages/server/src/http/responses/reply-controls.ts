import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../../kernel/clock.ts';
import { isSecure, readCookie, sessionCookie, writeCookie } from '../access/credentials.ts';

/** Response options and request details for a handler. */
export interface ReplyControls {
  /** The URL as requested. */
  readonly url: string;
  setEtag(etag: string): void;
  /** URL of the created resource, or of the next step. */
  setLocation(url: string): void;
  /** Responds with 201: the resource was created. */
  setCreated(): void;
  /** A header that only one kind of client reads. */
  setHeader(name: string, value: string): void;
  setSession(secret: string, expiresAt: number): void;
  clearSession(): void;
  /** Reads a cookie that `setCookie` has set. */
  readCookie(name: string): string | undefined;
  /** Sets a cookie that scripts can't read; without a value, deletes it. */
  setCookie(name: string, value: string | undefined, maxAgeMs?: number): void;
  /** Reports progress, if the caller requested it. */
  reportProgress(progress: object): void;
  /** Aborts when the caller disconnects, or when the server stops. */
  signal(): AbortSignal;
  /** For a stream of events: the ID of the last event that the client received. */
  readonly lastEventId: string | undefined;
}

/** Properties have no getters: V8 would create a hidden class for each request, which keeps the request in memory. */
export function replyControls(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): ReplyControls {
  const set = (value: string, maxAge: number) =>
    reply.header('set-cookie', sessionCookie(value, { secure: isSecure(request), maxAge }));
  return {
    url: request.originalUrl,
    setEtag: (etag) => reply.header('etag', etag),
    setLocation: (url) => reply.header('location', url),
    setCreated: () => reply.code(201),
    setHeader: (name, value) => reply.header(name, value),
    setSession: (secret, expiresAt) => {
      const now = request.ctx?.clock.now() ?? 0;
      set(secret, Math.floor((expiresAt - now) / SECOND));
    },
    clearSession: () => set('', 0),
    readCookie: (name) => readCookie(request.headers.cookie ?? '', name, isSecure(request)),
    setCookie: (name, value = '', maxAgeMs = 0) =>
      reply.header(
        'set-cookie',
        writeCookie(name, value, { secure: isSecure(request), maxAge: value ? Math.floor(maxAgeMs / SECOND) : 0 }),
      ),
    reportProgress: () => undefined,
    signal: () => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return AbortSignal.any([gone.signal, stopping]);
    },
    lastEventId: undefined,
  };
}
