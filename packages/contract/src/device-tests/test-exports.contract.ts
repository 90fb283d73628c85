import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const Resources = Type.Object({ resources: Type.Array(Type.Object({ rel: Type.String(), path: Type.String() })) });
const common = { tag: 'tests', method: 'GET', effect: 'read', errors: [404] } as const;
const mine = { ...common, access: 'user' } as const;
const ofApp = { ...common, access: 'app:viewer', params: Type.Object(AppPath) } as const;
const account = '/v0.1/account/test/export';
const at = '/v0.1/apps/{owner_name}/{app_name}/test/export';
const where = json(Resources, { description: 'URLs of the parts.' });
const AfterId = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 100, description: 'Returns the item after the one with this ID.' })),
});

export const test_gdprExportAccounts = endpoint({
  ...mine,
  id: 'test_gdprExportAccounts',
  path: account,
  summary: 'Get the URLs of the data that tests store about you',
  response: where,
});

export const test_gdprExportAccount = endpoint({
  ...mine,
  id: 'test_gdprExportAccount',
  path: `${account}/accounts`,
  summary: 'Get the only data that tests store about your account: your ID',
  response: json(Type.Object({ id: Uuid }), { description: 'Your ID.' }),
});

export const test_gdprExportFeatureFlag = endpoint({
  ...mine,
  id: 'test_gdprExportFeatureFlag',
  path: `${account}/featureFlags`,
  summary: 'List the feature trials that you participate in (always empty)',
  response: json(Type.Object({ name: Type.Optional(Type.String()), target_id: Type.Optional(Uuid) }), {
    description: 'An empty object.',
  }),
});

export const test_gdprExportApps = endpoint({
  ...ofApp,
  id: 'test_gdprExportApps',
  path: at,
  summary: 'Get the URLs of the data that tests store about an app',
  response: where,
});

export const test_gdprExportApp = endpoint({
  ...ofApp,
  id: 'test_gdprExportApp',
  path: `${at}/apps`,
  summary: 'Get the URLs of the test files of an app',
  response: json(Type.Object({ hash_files_url: Type.String() }), { description: 'The URLs.' }),
});

export const test_gdprExportFileSetFile = endpoint({
  ...ofApp,
  id: 'test_gdprExportFileSetFile',
  path: `${at}/fileSetFiles`,
  summary: 'Get the first file of the newest test run, or the next file',
  query: AfterId,
  response: json(
    Type.Object({
      path: Type.Optional(Type.String()),
      hash_file_id: Type.Optional(Uuid),
      app_upload_id: Type.Optional(Uuid),
      hash_file_url: Type.Optional(Type.String()),
    }),
    { description: 'The file, or an empty object after the last one.' },
  ),
});

export const test_gdprExportHashFile = endpoint({
  ...ofApp,
  id: 'test_gdprExportHashFile',
  path: `${at}/hashFiles`,
  summary: 'Get the first test file, or the next one',
  query: AfterId,
  response: json(Type.Object({ id: Type.Optional(Uuid), filename: Type.Optional(Type.String()) }), {
    description: 'The file, or an empty object after the last one.',
  }),
});

export const test_gdprExportPipelineTest = endpoint({
  ...ofApp,
  id: 'test_gdprExportPipelineTest',
  path: `${at}/pipelineTests`,
  summary: 'Get the parameters of the newest test run, or of the next one',
  query: AfterId,
  response: json(
    Type.Object({
      app_upload_id: Type.Optional(Uuid),
      test_parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    { description: 'The parameters, or an empty object after the last run.' },
  ),
});

export const test_gdprExportTestRun = endpoint({
  ...ofApp,
  id: 'test_gdprExportTestRun',
  path: `${at}/testRuns`,
  summary: 'Get the newest test run, or the next one',
  query: AfterId,
  response: json(
    Type.Object({
      id: Type.Optional(Uuid),
      app_hash_file_id: Type.Optional(Uuid),
      locale: Type.Optional(Type.String()),
      app_hash_file_url: Type.Optional(Type.String()),
    }),
    { description: 'The run, or an empty object after the last one.' },
  ),
});
