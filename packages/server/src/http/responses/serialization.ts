import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Serializes responses by their schema, without other fields. Compiled for the first response. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let write: ((value: unknown) => string) | undefined;
  return (value) => {
    write ??= fastJson(schema);
    return write(value);
  };
};
