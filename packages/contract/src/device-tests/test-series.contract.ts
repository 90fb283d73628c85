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
      { description: 'The newest completed run.' },
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
  summary: 'List the test series of an app',
  params: Type.Object(AppPath),
  query: Type.Object({ query: Type.Optional(Type.String({ maxLength: 100, description: 'A part of the name.' })) }),
  response: json(Type.Array(TestSeries), { description: 'The series, the one with the newest run first.' }),
});

export const test_createTestSeries = endpoint({
  ...changing,
  id: 'test_createTestSeries',
  method: 'POST',
  path: at,
  summary: 'Create a test series',
  params: Type.Object(AppPath),
  request: json(Name),
  response: json(TestSeries, { description: 'The test series.' }),
});

export const test_patchTestSeries = endpoint({
  ...changing,
  id: 'test_patchTestSeries',
  method: 'PATCH',
  path: `${at}/{test_series_slug}`,
  summary: 'Rename a test series',
  params: Type.Object(SeriesPath),
  request: json(Name),
  response: json(TestSeries, { description: 'The test series. Its slug stays the same.' }),
});

export const test_deleteTestSeries = endpoint({
  ...changing,
  id: 'test_deleteTestSeries',
  method: 'DELETE',
  path: `${at}/{test_series_slug}`,
  summary: 'Delete a test series; its test runs stay',
  params: Type.Object(SeriesPath),
  response: empty({ status: 200, description: 'Deleted.' }),
});

export const test_getAllTestRunsForSeries = endpoint({
  ...reading,
  id: 'test_getAllTestRunsForSeries',
  path: `${at}/{test_series_slug}/test_runs`,
  summary: 'List the newest test runs of a test series',
  params: Type.Object(SeriesPath),
  response: json(Type.Array(TestRun), { description: 'The runs, newest first, at most 50.' }),
});
