import {
  Analytics_CreateOrUpdateAudience,
  adminUsers_create,
  apps_create,
  codePushDeployments_explain,
  deploymentReleases_update,
  organizations_createOrUpdate,
} from '@mooring/contract';
import { expect, test } from 'vitest';
import { fieldErrors, fieldsOf, parametersOf, problemWith, ruleOf } from './field-rules.ts';

test('limits come from the contract, also where only a pattern says them', () => {
  const app = fieldsOf(apps_create);
  expect(app('display_name')).toMatchObject({ isRequired: true, maxLength: 128 });
  expect(app('name')).toMatchObject({ isRequired: false, maxLength: 100 });
  expect(app('description')).toMatchObject({ isRequired: false, maxLength: 1000 });
  expect(fieldsOf(organizations_createOrUpdate)('display_name').maxLength).toBe(128);
  expect(fieldsOf(adminUsers_create)('password').minLength).toBe(10);
});

test('limits of what stands in the address come from the contract too, and so do those of what may be null', () => {
  expect(parametersOf(Analytics_CreateOrUpdateAudience)('audience_name')).toMatchObject({ maxLength: 128 });
  const asked = parametersOf(codePushDeployments_explain);
  expect(asked('app_version')).toMatchObject({ isRequired: true, maxLength: 1000 });
  expect(asked('label')).toMatchObject({ isRequired: false, maxLength: 1000 });
  expect(fieldsOf(deploymentReleases_update)('description')).toEqual({ isRequired: false, maxLength: 10_000 });
});

test('a field that the operation does not take is a mistake of the form', () => {
  expect(() => fieldsOf(apps_create)('colour')).toThrow(/colour/);
  expect(() => parametersOf(codePushDeployments_explain)('colour')).toThrow(/colour/);
});

const user = fieldsOf(adminUsers_create);
test.each([
  ['email', '', 'Fill this in.'],
  ['email', 'ada', 'Enter an e-mail address, such as ada@example.com.'],
  ['email', 'ada@example.com', undefined],
  ['name', '', undefined],
  ['name', 'ada lovelace', expect.stringContaining('Letters, digits')],
  ['name', 'ada-l', undefined],
  ['password', 'short', 'Enter at least 10 characters.'],
  ['password', 'long enough to be one', undefined],
  ['display_name', 'x'.repeat(129), 'Enter at most 128 characters.'],
])('%s with %j: %s', (name, text, problem) => {
  expect(problemWith(user(name), text)).toEqual(problem);
});

test('blank text is no text', () => {
  expect(problemWith(ruleOf({ pattern: '\\S' }), '   ')).toBe('Fill this in.');
});

test.each([
  ['display_name must not be blank.', { display_name: 'Must not be blank.' }, ''],
  ['name is missing. The rest is fine.', { name: 'Is missing.' }, 'The rest is fine.'],
  ['The name "x" is taken; choose another.', {}, 'The name "x" is taken; choose another.'],
  ['names are odd.', {}, 'names are odd.'],
])('%j is told at %j and leaves %j', (message, fields, rest) => {
  expect(fieldErrors(message, ['name', 'display_name'])).toEqual({ fields, rest });
});
