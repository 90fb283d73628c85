import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';
import { TestRun } from './test-run.fields.ts';

const TestSeries = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    mostRecentActivity: Time,
    testRuns: Type.Array(
      Type.Object({
        date: Time,
        statusDescription: Type.String(),
        failed: Type.Integer(),
        passed: Type.Integer(),
        completed: Type.Boolean(),
      }),
      { description: 'The newest of them.' },
    ),
  },
  { $id: 'TestSeries' },
);

const SeriesPath = { ...AppPath, test_series_slug: Type.String({ minLength: 1, maxLength: 100 }) };
const Name = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }) });
const common = { tag: 'tests', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const changing = { ...common, effect: 'change', access: 'app:developer', errorShape: 'stated' } as const;
const at = '/v0.1/apps/{owner_name}/{app_name}/test_series';

export const test_getAllTestSeries = endpoint({
  ...reading,
  id: 'test_getAllTestSeries',
  path: at,
  summary: 'Lists the series that test runs of an app are part of',
  params: Type.Object(AppPath),
  query: Type.Object({ query: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name.' })) }),
  response: json(Type.Array(TestSeries), { description: 'The one with the newest run first.' }),
});

export const test_createTestSeries = endpoint({
  ...changing,
  id: 'test_createTestSeries',
  method: 'POST',
  path: at,
  summary: 'Makes a series of test runs',
  params: Type.Object(AppPath),
  request: json(Name),
  response: json(TestSeries, { description: 'The series.' }),
});

export const test_patchTestSeries = endpoint({
  ...changing,
  id: 'test_patchTestSeries',
  method: 'PATCH',
  path: `${at}/{test_series_slug}`,
  summary: 'Gives a series of test runs another name',
  params: Type.Object(SeriesPath),
  request: json(Name),
  response: json(TestSeries, { description: 'The series; its slug stays.' }),
});

export const test_deleteTestSeries = endpoint({
  ...changing,
  id: 'test_deleteTestSeries',
  method: 'DELETE',
  path: `${at}/{test_series_slug}`,
  summary: 'Removes a series; its test runs stay',
  params: Type.Object(SeriesPath),
  response: empty({ status: 200, description: 'It is gone.' }),
});

export const test_getAllTestRunsForSeries = endpoint({
  ...reading,
  id: 'test_getAllTestRunsForSeries',
  path: `${at}/{test_series_slug}/test_runs`,
  summary: 'Lists the newest test runs of a series',
  params: Type.Object(SeriesPath),
  response: json(Type.Array(TestRun), { description: '50 at most, newest first.' }),
});
