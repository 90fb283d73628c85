import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { badRequest } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/text/format-count.ts';

const standard = formats.default(new Ajv());
const isStandardTime = standard.compile<string>({ type: 'string', format: 'date-time' });
const isStandardDay = standard.compile<string>({ type: 'string', format: 'date' });

/** The standard's times include leap seconds and short offsets, which this server can't parse, so they are refused. */
const isTime = (text: string): boolean => isStandardTime(text) && !Number.isNaN(Date.parse(text));

/** For parameters of whole days: people and scripts write a date, existing clients a time. */
const isDay = (text: string): boolean => isTime(text) || isStandardDay(text);

const addFormats = (ajv: Ajv): Ajv => formats.default(ajv).addFormat('date-time', isTime).addFormat('day', isDay);
const strict = { allErrors: false, useDefaults: true, strict: true, strictTuples: false, verbose: true } as const;

const bodies = addFormats(new Ajv(strict));
const texts = addFormats(new Ajv({ ...strict, coerceTypes: true }));

interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Compiles a schema for its first value: compiling all at start would take 15 MB, mostly for unused ones. */
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

/** Ajv accepts "1e999" as a number, but checks no limits for infinity, which JSON can't represent. */
const isEndless = (value: unknown): boolean => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

/** The same for paths, queries and headers, which are flat text. */
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

/** Bodies are JSON with types. Paths and queries are text, so numbers in them are parsed. */
export const compileSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'body' ? compileLater(bodies, schema) : compileTexts(schema);

/** Validates a body that was built later, with the same messages. */
export function createCheck(schema: TSchema): (value: unknown) => void {
  const fits = compileLater(bodies, schema);
  return (value) => {
    if (!fits(value)) throw badRequest(describeProblems(fits.errors ?? []));
  };
}

type Problem = FastifySchemaValidationError | ErrorObject;

/** Describes the problems of a request, and valid values, by field. */
export function describeProblems(problems: readonly Problem[], part = 'body'): string {
  // Each failed alternative reports its own problem; report only the rule that they share.
  const tried = new Set(problems.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  const reported = problems.filter(({ keyword, instancePath }) => keyword === 'anyOf' || !tried.has(instancePath));
  return [...new Set(reported.map((problem) => describe(problem, part)))].join(' ');
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
        : `${field} must have at least ${formatCount(Number(p.limit), 'character')}.`;
    case 'maxLength':
      return `${field} must have at most ${formatCount(Number(p.limit), 'character')}.`;
    case 'minItems':
      return `${field} must have at least ${formatCount(Number(p.limit), 'entry', 'entries')}.`;
    case 'maxItems':
      return `${field} must have at most ${formatCount(Number(p.limit), 'entry', 'entries')}.`;
    case 'minimum':
      return `${field} must be at least ${p.limit}.`;
    case 'maximum':
      return `${field} must be at most ${p.limit}.`;
    case 'format':
      return `${field} must be ${formatDescriptions[String(p.format)] ?? `a valid ${p.format}`}.`;
    case 'pattern':
    case 'anyOf':
      return p.pattern === '\\S'
        ? `${field} must not be blank.`
        : `${field} is not valid: ${rule ?? p.pattern ?? message}`;
    default:
      return `${field} ${message}.`;
  }
}

const formatDescriptions: Record<string, string> = {
  email: 'an email address',
  uuid: 'a UUID',
  'date-time': 'a time such as 2027-03-31T12:00:00Z',
  day: 'a date such as 2027-03-31, or a time',
};

const article = (type: string): string =>
  type === 'object' ? 'a JSON object' : type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
