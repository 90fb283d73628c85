import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { SECOND } from '../../kernel/clock.ts';
import { badRequest, type Failure } from '../../kernel/errors.ts';

export const declaredLength = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/** Maximum size of a form without its file: boundaries, headers, unexpected fields. */
export const ENVELOPE_BYTES = 65_536;
/**
 * NOTE: the number of parts is unlimited, because a form that breaks off after the limit raises an error without a
 * listener, which ends the process. Files and fields are limited, and other parts are discarded.
 */
export const formLimits = {
  parts: Number.POSITIVE_INFINITY,
  files: 5,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 10_000,
  headerPairs: 20,
};

/** A form that has arrived must yield its next part within this time. */
const UNREAD_MS = 2 * SECOND;

export interface FormWatch {
  failure: Promise<never>;
  /** Waits for the next part, which a complete form yields immediately. */
  next<T>(part: Promise<T>): Promise<T>;
  stop(): void;
}

/** Rejects if the form is too long, or if it has arrived completely and yields no further part. */
export function watchForm({ raw }: FastifyRequest, maxBytes: number, tooLarge: () => Failure): FormWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let received = 0;
  let isReceived = false;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  // A form without a declared length is refused as soon as it is too long; the response then ends the connection.
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) reject(tooLarge());
  };
  // The parser never yields a part with broken headers, so the form would never end. The timer runs only while the next
  // part is awaited.
  const arm = () => {
    clearTimeout(timer);
    const unread = badRequest('The form is invalid: the headers of a part are malformed.');
    if (isReceived && isWaiting) timer = setTimeout(() => reject(unread), UNREAD_MS);
  };
  const end = () => {
    isReceived = true;
    arm();
  };
  raw.on('data', count).once('end', end);
  return {
    failure: promise,
    async next(part) {
      isWaiting = true;
      arm();
      try {
        return await Promise.race([part, promise]);
      } finally {
        isWaiting = false;
        clearTimeout(timer);
      }
    },
    stop() {
      clearTimeout(timer);
      raw.off('data', count).off('end', end);
    },
  };
}

/** Discards an unexpected file. Its errors are irrelevant, but need a listener. */
export const pass = (file: Readable): Readable => file.on('error', () => undefined).resume();
