import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { SentBytes } from '../../kernel/inflate.ts';
import type { ReplyControls } from '../reply-controls.ts';
import type { ResponseCache } from '../response-cache.ts';
import type { IncomingFile } from './incoming-file.ts';

/** How one kind of request is mounted. */
export interface MountedRequest {
  /** What the body is held against. */
  schema?: TSchema;
  bodyLimit?: number;
  /** Makes the scope of the route take bodies of this kind, and no others; JSON is taken everywhere else. */
  accept?(scope: FastifyInstance): void | Promise<void>;
  preValidation?: preValidationHookHandler;
  /** What a body of another type is refused with. */
  refusal: string;
  /** What the handler gets beside the parts that the schemas checked. */
  read?(request: FastifyRequest): Promise<{ file: IncomingFile } | { sent: SentBytes }>;
}

/** Runs the handler. */
export type Run = (controls?: Partial<ReplyControls>) => Promise<unknown>;

/** How one kind of response is mounted. */
export interface MountedResponse {
  /** How its body is written, by status. */
  schemas?: Record<number, TSchema>;
  answer(request: FastifyRequest, reply: FastifyReply, run: Run): unknown;
}

export interface Shared {
  responses: ResponseCache;
  /** Told when the server stops. */
  stopping: AbortSignal;
  /** How many streams each person has open. */
  streams: Map<string, number>;
  /** Looks at the rights of a request once more; what it finds is in its ctx. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export type MountRequest<R> = (request: R) => MountedRequest;
export type MountResponse<R> = (response: R, shared: Shared) => MountedResponse;
