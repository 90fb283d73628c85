import { Ajv, type ValidateFunction } from 'ajv';
import Type, { type Static, type TSchema } from 'typebox';
import { parseJson } from './json.ts';

/** Converts between stored JSON (a column, a job payload, a file) and its type. */
export interface JsonCodec<T> {
  /** Throws an error that names the place if the text does not fit. */
  parse(text: string): T;
  serialize(value: T): string;
}

export const StringList = Type.Array(Type.String());
export const StringRecord = Type.Record(Type.String(), Type.String());

/** An object that was fully validated before it was stored. Earlier versions may have stored other fields. */
export const objectOutline = <T extends object>(fields: Record<string, TSchema> = {}) =>
  Type.Unsafe<T>(Type.Object(fields));
export const listOutline = <T>(item: TSchema = Type.Unknown()) => Type.Unsafe<T[]>(Type.Array(item));

// Formats are checked when values are written.
const ajv = new Ajv({ strict: false, validateFormats: false });

/**
 * `name` tells where the text is stored, such as `releases.hashes`. The schema is compiled when the first text is
 * parsed.
 */
export function jsonCodec<S extends TSchema>(name: string, schema: S): JsonCodec<Static<S>> {
  let check: ValidateFunction | undefined;
  function parseStored(text: string): unknown {
    try {
      return parseJson(text);
    } catch (cause) {
      // The message of the parser quotes the text, which may be secret.
      throw new Error(`${name} does not contain JSON.`, { cause: (cause as Error).name });
    }
  }
  return {
    parse(text) {
      const value = parseStored(text);
      check ??= ajv.compile(schema);
      if (!check(value))
        throw new Error(`${name} contains unexpected JSON: ${ajv.errorsText(check.errors, { dataVar: 'value' })}.`);
      return value as Static<S>;
    },
    serialize: (value) => JSON.stringify(value),
  };
}
