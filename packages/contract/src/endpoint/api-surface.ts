import type { TSchema } from 'typebox';
import type { ErrorStatus, HealthErrorStatus } from '../errors.ts';

/**
 * Operations for one kind of client. The domain that defines the surface with this name in the server implements its
 * behavior.
 */
export interface ApiSurface {
  readonly name: string;
  /** Query parameters of every call, with a value that every server accepts. */
  readonly query?: Readonly<Record<string, string>>;
  /** The format of its errors, if it differs from `/v0.1`. */
  readonly errorBody?: TSchema;
  /** The media type of its errors (default: JSON). */
  readonly mediaType?: string;
  /** Statuses that its clients would misunderstand, each with the one that they get instead. */
  readonly replacedStatuses?: Readonly<Partial<Record<ErrorStatus | HealthErrorStatus, ErrorStatus>>>;
  /** Accepts only its own kind of tokens, as bearer tokens. */
  readonly takesOwnToken?: true;
  /** Also accepts OAuth access tokens. */
  readonly takesOauth?: true;
  /** A paragraph for the introduction of the API reference. */
  readonly introduction?: string;
}
