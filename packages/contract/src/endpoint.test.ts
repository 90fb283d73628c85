import { expect, test } from 'vitest';
import { mayOmitBody } from './bodiless.ts';
import { changesSomething, pathParams } from './endpoint.ts';
import { errorMeanings, errorStatuses } from './errors.ts';
import { endpoints } from './index.ts';

const named = endpoints.map((spec) => [spec.id, spec] as const);

test('the names in a path are found in order', () => {
  expect(pathParams('/v0.1/apps/{owner_name}/{app_name}/api_tokens/{api_token_id}')).toEqual([
    'owner_name',
    'app_name',
    'api_token_id',
  ]);
  expect(pathParams('/v0.1/user')).toEqual([]);
});

test('every method but GET changes something', () => {
  expect(changesSomething({ method: 'GET' })).toBe(false);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) expect(changesSomething({ method })).toBe(true);
});

test('no two operations share an id, or a method and a path', () => {
  const ids = endpoints.map(({ id }) => id);
  const places = endpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(places).size).toBe(places.length);
});

test('exactly these operations can be called without a credential', () => {
  const open = endpoints.filter(({ access }) => access === 'public').map(({ id }) => id);
  expect(open.sort()).toEqual([
    'passwordResets_create',
    'passwordResets_use',
    'server_get',
    'server_setUp',
    'sessions_create',
    'users_register',
  ]);
});

test('exactly the operations on API tokens take HTTP Basic', () => {
  const basic = endpoints.filter((spec) => spec.basic).map(({ path }) => path);
  expect(basic.length).toBe(6);
  for (const path of basic) expect(path).toMatch(/\/api_tokens(\/\{api_token_id\})?$/);
});

test.each(named)('%s declares in params exactly the names in its path', (_, spec) => {
  expect(Object.keys(spec.params?.properties ?? {})).toEqual(pathParams(spec.path));
  expect(spec.params?.required ?? []).toEqual(pathParams(spec.path));
});

/** Existing clients send one. */
const deletesWithBody = ['orgInvitations_delete'];

test.each(named)('%s lives under /v0.1 and takes a body exactly when its method carries one', (_, spec) => {
  expect(spec.path).toMatch(/^\/v0\.1(\/(\w+|\{\w+\}))+$/);
  const carries = ['POST', 'PUT', 'PATCH'].includes(spec.method);
  expect(spec.body !== undefined).toBe(carries || deletesWithBody.includes(spec.id));
});

test.each(named)('%s with access to an app has that app in its path, and only then', (_, spec) => {
  const inApp = pathParams(spec.path).slice(0, 2).join() === 'owner_name,app_name';
  expect(spec.access.startsWith('app:')).toBe(inApp);
});

/** Existing clients take exactly this status. */
const emptyWith200 = ['distributionGroups_deleteForOrg'];

test.each(named)('%s answers with a body exactly when its status is not 204', (_, spec) => {
  expect(spec.success.body === undefined).toBe(spec.success.status === 204 || emptyWith200.includes(spec.id));
});

test('operations that may omit a body exist and say why', () => {
  const ids = endpoints.map(({ id }) => id);
  for (const [id, reason] of Object.entries(mayOmitBody)) {
    expect(ids).toContain(id);
    expect(reason).not.toBe('');
  }
});

test('every error status has one code and one meaning', () => {
  const statuses = Object.values(errorStatuses);
  expect(new Set(statuses).size).toBe(statuses.length);
  expect(
    Object.keys(errorMeanings)
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([...statuses].sort((a, b) => a - b));
});
