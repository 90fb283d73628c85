import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { badRequest } from '../kernel/errors.ts';

const standard = formats.default(new Ajv());
const isStandardTime = standard.compile<string>({ type: 'string', format: 'date-time' });
const isStandardDay = standard.compile<string>({ type: 'string', format: 'date' });

/** The standard's times include leap seconds and short offsets, which this server cannot read; those are no times here. */
const isTime = (text: string): boolean => isStandardTime(text) && !Number.isNaN(Date.parse(text));

/** For what counts whole days: people and scripts write the day alone, clients of before a time in it. */
const isDay = (text: string): boolean => isTime(text) || isStandardDay(text);

const addFormats = (ajv: Ajv): Ajv => formats.default(ajv).addFormat('date-time', isTime).addFormat('day', isDay);
const strict = { allErrors: false, useDefaults: true, strict: true, strictTuples: false, verbose: true } as const;

const bodies = addFormats(new Ajv(strict));
const texts = addFormats(new Ajv({ ...strict, coerceTypes: true }));

interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Compiles a schema when its first value comes: all of them at once would cost every start 15 MB, most for nothing. */
function compileLater(ajv: Ajv, schema: TSchema): Check {
  let compiled: ValidateFunction | undefined;
  const check: Check = (value) => {
    compiled ??= ajv.compile(schema);
    const fits = compiled(value);
    check.errors = compiled.errors;
    return fits;
  };
  return check;
}

/** Ajv takes "1e999" for a number, but compares it with no limit, since it is none that JSON could say. */
const isEndless = (value: unknown): boolean => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

/** The same for text that stands for values: paths, queries and headers are flat. */
function compileTexts(schema: TSchema): Check {
  const fits = compileLater(texts, schema);
  if (!/"type":"(number|integer)"/.test(JSON.stringify(schema))) return fits;
  const check: Check = (values) => {
    const isFit = fits(values);
    check.errors = fits.errors ?? null;
    const endless = isFit && Object.entries(values as object).find(([, value]) => isEndless(value))?.[0];
    if (!endless) return isFit;
    check.errors = [{ instancePath: `/${endless}`, schemaPath: '', keyword: 'type', params: { type: 'number' } }];
    return false;
  };
  return check;
}

/** Bodies mean what they say; paths and queries are text, so numbers in them are read as numbers. */
export const compileSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'body' ? compileLater(bodies, schema) : compileTexts(schema);

/** Refuses, in the same words, a body that was put together later. */
export function createCheck(schema: TSchema): (value: unknown) => void {
  const fits = compileLater(bodies, schema);
  return (value) => {
    if (!fits(value)) throw badRequest(describeProblems(fits.errors ?? []));
  };
}

type Problem = FastifySchemaValidationError | ErrorObject;

/** Says what is wrong with a request, and what would be right, by the name of the field. */
export function describeProblems(problems: readonly Problem[], part = 'body'): string {
  // Where alternatives were tried, each says why it failed; only the rule that they share is worth telling.
  const tried = new Set(problems.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  const told = problems.filter(({ keyword, instancePath }) => keyword === 'anyOf' || !tried.has(instancePath));
  return [...new Set(told.map((problem) => describe(problem, part)))].join(' ');
}

function describe({ instancePath, keyword, params, message = '', ...more }: Problem, part: string): string {
  const rule = (more as { parentSchema?: { description?: string } }).parentSchema?.description;
  const field = instancePath.slice(1).replaceAll('/', '.') || `The ${part === 'querystring' ? 'query' : part}`;
  const p = params as Record<string, string | number | string[]>;
  switch (keyword) {
    case 'required':
      return `${instancePath ? `${field}.` : ''}${p.missingProperty} is missing.`;
    case 'type':
      return `${field} must be ${article(String(p.type))}.`;
    case 'enum':
      return `${field} must be one of ${(p.allowedValues as string[]).join(', ')}.`;
    case 'minLength':
      return Number(p.limit) === 1
        ? `${field} must not be empty.`
        : `${field} must have at least ${p.limit} characters.`;
    case 'maxLength':
      return `${field} must have at most ${p.limit} characters.`;
    case 'minItems':
      return `${field} must have at least ${p.limit} ${p.limit === 1 ? 'entry' : 'entries'}.`;
    case 'maxItems':
      return `${field} must have at most ${p.limit} entries.`;
    case 'minimum':
      return `${field} must be at least ${p.limit}.`;
    case 'maximum':
      return `${field} must be at most ${p.limit}.`;
    case 'format':
      return `${field} must be ${formatWords[String(p.format)] ?? `a valid ${p.format}`}.`;
    case 'pattern':
    case 'anyOf':
      return p.pattern === '\\S'
        ? `${field} must not be blank.`
        : `${field} is not as it must be: ${rule ?? p.pattern ?? message}`;
    default:
      return `${field} ${message}.`;
  }
}

const formatWords: Record<string, string> = {
  email: 'an e-mail address',
  uuid: 'a UUID',
  'date-time': 'a time such as 2027-03-31T12:00:00Z',
  day: 'a day such as 2027-03-31, or a time in it',
};

const article = (type: string): string =>
  type === 'object' ? 'a JSON object' : type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
