import {
  Analytics_CreateOrUpdateAudience,
  adminUsers_create,
  apps_create,
  codePushDeployments_explain,
  deploymentReleases_update,
  organizations_createOrUpdate,
} from '@mooring/contract';
import { expect, test } from 'vitest';
import { fieldErrors, getBodyRules, getParameterRules, problemWith, toFieldRule } from './field-rules.ts';

test('takes limits from the contract, also from patterns', () => {
  const app = getBodyRules(apps_create);
  expect(app('display_name')).toMatchObject({ isRequired: true, maxLength: 128 });
  expect(app('name')).toMatchObject({ isRequired: false, maxLength: 100 });
  expect(app('description')).toMatchObject({ isRequired: false, maxLength: 1000 });
  expect(getBodyRules(organizations_createOrUpdate)('display_name').maxLength).toBe(128);
  expect(getBodyRules(adminUsers_create)('password').minLength).toBe(10);
});

test('takes limits of parameters and of nullable fields from the contract', () => {
  expect(getParameterRules(Analytics_CreateOrUpdateAudience)('audience_name')).toMatchObject({ maxLength: 128 });
  const rules = getParameterRules(codePushDeployments_explain);
  expect(rules('app_version')).toMatchObject({ isRequired: true, maxLength: 1000 });
  expect(rules('label')).toMatchObject({ isRequired: false, maxLength: 1000 });
  expect(getBodyRules(deploymentReleases_update)('description')).toEqual({ isRequired: false, maxLength: 10_000 });
});

test("throws for a field that the operation doesn't have", () => {
  expect(() => getBodyRules(apps_create)('colour')).toThrow(/colour/);
  expect(() => getParameterRules(codePushDeployments_explain)('colour')).toThrow(/colour/);
});

const user = getBodyRules(adminUsers_create);
test.each([
  ['email', '', 'Required'],
  ['email', 'ada', 'Enter an email address, such as ada@example.com.'],
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

test('treats blank text as empty', () => {
  expect(problemWith(toFieldRule({ pattern: '\\S' }), '   ')).toBe('Required');
});

test.each([
  ['display_name must not be blank.', { display_name: 'Must not be blank.' }, ''],
  ['name is missing. The rest is fine.', { name: 'Is missing.' }, 'The rest is fine.'],
  ['The name "x" is taken; choose another.', {}, 'The name "x" is taken; choose another.'],
  ['names are odd.', {}, 'names are odd.'],
])('shows %j at %j and leaves %j', (message, fields, rest) => {
  expect(fieldErrors(message, ['name', 'display_name'])).toEqual({ fields, rest });
});
