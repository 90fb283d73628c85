import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Writes answers as their schema says, and nothing beside it; compiled when the first one is written. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let write: ((value: unknown) => string) | undefined;
  return (value) => {
    write ??= fastJson(schema);
    return write(value);
  };
};
