import { Failure } from '../../../kernel/errors.ts';

/** Errors of requests, RFC 7644 section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany';

export const scimFailure = (type: ScimType, message: string): Failure => new Failure('BadRequest', message, {}, type);
