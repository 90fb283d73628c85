import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { SentBytes } from '../../kernel/files/inflate.ts';
import type { ReplyControls } from '../responses/reply-controls.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { FormFile, IncomingFile } from './incoming-file.ts';
import type { SentFile } from './read-parts.ts';

export interface MountedRequest {
  /** Schema of the body. */
  schema?: TSchema;
  bodyLimit?: number;
  /** Makes the scope of the route accept other bodies; by default it accepts JSON only. */
  accept?(scope: FastifyInstance): void | Promise<void>;
  preValidation?: preValidationHookHandler;
  /** Message for a body of another type. */
  refusal: string;
  /** Input of the handler besides the parts that the schemas validate. */
  read?(
    request: FastifyRequest,
  ): Promise<
    { file: IncomingFile } | { files: AsyncIterable<FormFile> } | { files: readonly SentFile[] } | { sent: SentBytes }
  >;
}

/** Runs the handler. */
export type Run = (controls?: Partial<ReplyControls>) => Promise<unknown>;

export interface MountedResponse {
  /** Schemas of the body, by status. */
  schemas?: Record<number, TSchema>;
  respond(request: FastifyRequest, reply: FastifyReply, run: Run): unknown;
}

export interface Shared {
  responses: ResponseCache;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  /** Number of open streams by owner. */
  streams: Map<string, number>;
  /** Checks the rights of a request again, and updates its ctx. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export type MountRequest<R> = (request: R) => MountedRequest;
export type MountResponse<R> = (response: R, shared: Shared) => MountedResponse;
