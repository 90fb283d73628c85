import type { ErrorBody, ErrorCode, Upload } from '@mooring/contract';
import type { FastifyError } from 'fastify';
import type { Static } from 'typebox';
import { isUnavailable } from '../db/portable.ts';
import { Failure, unavailable } from '../kernel/errors.ts';
import { describeProblems } from './validation.ts';

export const errorBody = (code: ErrorCode, message: string): Static<typeof ErrorBody> => ({ error: { code, message } });

/** What Fastify itself refuses, in our words. */
const framework: Record<string, (limits: Limits) => Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimit }) =>
    new Failure('PayloadTooLarge', `The body is larger than the ${bodyLimit} bytes that this server takes.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ upload }) =>
    new Failure(
      'UnsupportedMediaType',
      upload
        ? `The body must be multipart/form-data, with a file in the field "${upload.field}".`
        : 'The body must be JSON, sent with Content-Type: application/json.',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Failure('BadRequest', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Failure('BadRequest', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new Failure('LengthRequired', 'A body is needed; send {} for an empty one.'),
  FST_ERR_BAD_URL: () => new Failure('BadRequest', 'The path is not a valid address: check its % escapes.'),
};

export interface Limits {
  bodyLimit: number;
  /** What the operation takes instead of JSON. */
  upload?: Upload | undefined;
}

/** Anything thrown, as a failure that the caller may see; undefined when it is none of their business. */
export function toFailure(error: FastifyError | Failure | Error, limits: Limits): Failure | undefined {
  if (error instanceof Failure) return error;
  if (isUnavailable(error)) return unavailable('The database cannot be reached just now; try again.');
  const { code = '', validation, validationContext, statusCode } = error as FastifyError;
  if (validation) return new Failure('BadRequest', describeProblems(validation, validationContext));
  const known = framework[code];
  if (known) return known(limits);
  // The JSON parser's own errors carry a status and a message, but no code.
  return statusCode === 400 ? new Failure('BadRequest', `The body is not valid JSON: ${error.message}.`) : undefined;
}
