import { pathToFileURL } from 'node:url';
import type { EndpointSpec } from '@mooring/contract';
import type { Plugin } from 'vite';
import { withoutNull } from './src/components/forms/field-rules.ts';

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

interface Schema {
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  description?: string;
}

/** The parts of a schema that forms read: the rules of its fields, and the description of those with a pattern. */
function toRuleSchema(schema: Schema): Schema {
  const { properties, required, minLength, maxLength, pattern, format, description } = withoutNull(schema);
  return {
    ...{ required, minLength, maxLength, pattern, format },
    ...(pattern ? { description } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, toRuleSchema(each)])) }
      : {}),
  };
}

/** Parameters that the path of the current page provides, so that no form asks for them. */
const places = ['owner_name', 'app_name', 'org_name', 'subscriptionId'];

function parameterRules(schema: Schema | undefined): Schema | undefined {
  const { properties = {}, required = [] } = toRuleSchema(schema ?? {});
  const typed = Object.entries(properties).filter(([name, { maxLength }]) => maxLength && !places.includes(name));
  if (typed.length === 0) return undefined;
  const names = typed.map(([name]) => name);
  return { required: required.filter((name) => names.includes(name)), properties: Object.fromEntries(typed) };
}

/** The parts of an operation that pages use: its path, access and parameters. Texts are for documents only. */
const toPageSpec = ({
  id,
  method,
  path,
  access,
  only,
  raises,
  effect,
  params,
  query,
  request,
  response,
}: EndpointSpec) => ({
  ...{ id, method, path, access, only, raises, effect },
  ...{ params: parameterRules(params), query: parameterRules(query) },
  ...(request
    ? {
        request: {
          ...request,
          content: undefined,
          ...('schema' in request && { schema: toRuleSchema(request.schema) }),
        },
      }
    : {}),
  // Browsers trust responses to match their schema.
  response: { ...response, description: undefined, schema: undefined, schemas: undefined, progress: undefined },
});

const refuseFunctions = (key: string, value: unknown): unknown => {
  if (typeof value === 'function') throw new Error(`A contract is data, and ${key} is a function.`);
  return value;
};

/**
 * The browser carries what it shows: a contract is evaluated when the console is built and arrives as the plain data that it
 * is, without what makes schemas. Each name is a module of its own, so that a page brings what it uses and nothing else.
 */
export const contractAsData = (): Plugin => ({
  name: 'contract-as-data',
  apply: 'build',
  resolveId: { filter: { id: /[.]contract[.]ts[?]\w+$/ }, handler: (id) => id },
  load: {
    filter: { id: /[.]contract[.]ts([?]\w+)?$/ },
    async handler(id) {
      const [file = '', name] = id.split('?');
      const contract: Record<string, unknown> = await import(pathToFileURL(file).href);
      if (!name) {
        const lines = Object.keys(contract).map(
          (each) => `export { ${each} } from ${JSON.stringify(`${file}?${each}`)};`,
        );
        return lines.join('\n');
      }
      const value = contract[name];
      const text = JSON.stringify(isEndpoint(value) ? toPageSpec(value) : value, refuseFunctions);
      return { code: `export const ${name} = ${text};`, moduleType: 'js' };
    },
  },
});
