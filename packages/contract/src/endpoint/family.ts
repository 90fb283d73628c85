import type { TSchema } from 'typebox';

/**
 * Operations that were made for the same clients, as far as these see it. What the server does for them is said by the
 * domain that defines the family of this name there.
 */
export interface EndpointFamily {
  readonly name: string;
  /** What every call says in its query; a value that every server knows. */
  readonly query?: Readonly<Record<string, string>>;
  /** How its errors look, if not as those of `/v0.1`. */
  readonly errorBody?: TSchema;
  /** Takes access tokens of OAuth, too. */
  readonly takesOauth?: true;
  /** What whoever reads the document has to know of it. */
  readonly introduction?: string;
}
