import { endpoints, openApiDocument } from '@mooring/contract';
import { examples, getExample } from '@mooring/contract/examples';
import { expect, test } from 'vitest';
import { testApp } from '../harness/app.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; example?: string | number }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}
type Paths = Record<string, Record<string, Operation>>;

const document = openApiDocument({ endpoints, examples, version: '1' });
const { paths } = JSON.parse(JSON.stringify(document)) as { paths: Paths };
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

test('the served document has the examples that are run', async () => {
  const app = await testApp('sqlite');
  const served = (await app.call('GET', '/openapi.json')).json() as { paths: Paths };
  expect(served.paths).toEqual(paths);
});

/** A file can't be documented as an example, neither in a form nor as bytes. */
const isShown = (operationId: string, type: string | undefined): boolean => {
  const request = endpoints.find(({ id }) => id === operationId)?.request;
  return type !== 'multipart/form-data' && !(request?.kind === 'file' && request.content === undefined);
};

test('every operation documents all its inputs', () => {
  for (const { operationId, parameters, requestBody } of operations) {
    const silent = parameters.filter(({ required, example }) => required && example === undefined);
    expect([operationId, silent]).toEqual([operationId, []]);
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
    if (type && isShown(operationId, type))
      expect([operationId, content?.example]).not.toEqual([operationId, undefined]);
  }
});

test('documented examples are those that are run', () => {
  for (const { operationId, parameters, requestBody } of operations) {
    const shown = (where: string) => {
      const some = parameters.filter((one) => one.in === where && one.example !== undefined);
      return Object.fromEntries(some.map(({ name, example }) => [name, example]));
    };
    const { params = {}, query = {}, body } = getExample({ id: operationId });
    expect([operationId, shown('path'), shown('query')]).toEqual([operationId, params, query]);
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
    if (isShown(operationId, type)) expect([operationId, content?.example]).toEqual([operationId, body]);
  }
});
