import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const Resources = Type.Object({ resources: Type.Array(Type.Object({ rel: Type.String(), path: Type.String() })) });
const common = { tag: 'tests', method: 'GET', effect: 'read', errors: [404] } as const;
const mine = { ...common, access: 'user' } as const;
const ofApp = { ...common, access: 'app:viewer', params: Type.Object(AppPath) } as const;
const account = '/v0.1/account/test/export';
const at = '/v0.1/apps/{owner_name}/{app_name}/test/export';
const where = json(Resources, { description: 'Where the parts are.' });
const AfterId = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 100, description: 'The one that comes after the one of this id.' })),
});

export const test_gdprExportAccounts = endpoint({
  ...mine,
  id: 'test_gdprExportAccounts',
  path: account,
  summary: 'Says where what tests keep about you is',
  response: where,
});

export const test_gdprExportAccount = endpoint({
  ...mine,
  id: 'test_gdprExportAccount',
  path: `${account}/accounts`,
  summary: 'Reads your id, all that tests keep about your account',
  response: json(Type.Object({ id: Uuid }), { description: 'Your id.' }),
});

export const test_gdprExportFeatureFlag = endpoint({
  ...mine,
  id: 'test_gdprExportFeatureFlag',
  path: `${account}/featureFlags`,
  summary: 'Reads which trials of features you are part of; there are none',
  response: json(Type.Object({ name: Type.Optional(Type.String()), target_id: Type.Optional(Uuid) }), {
    description: 'Nothing.',
  }),
});

export const test_gdprExportApps = endpoint({
  ...ofApp,
  id: 'test_gdprExportApps',
  path: at,
  summary: 'Says where what tests keep of an app is',
  response: where,
});

export const test_gdprExportApp = endpoint({
  ...ofApp,
  id: 'test_gdprExportApp',
  path: `${at}/apps`,
  summary: 'Says where the files of tests of an app are',
  response: json(Type.Object({ hash_files_url: Type.String() }), { description: 'Where they are.' }),
});

export const test_gdprExportFileSetFile = endpoint({
  ...ofApp,
  id: 'test_gdprExportFileSetFile',
  path: `${at}/fileSetFiles`,
  summary: 'Reads the first file of the newest test run, or the next',
  query: AfterId,
  response: json(
    Type.Object({
      path: Type.Optional(Type.String()),
      hash_file_id: Type.Optional(Uuid),
      app_upload_id: Type.Optional(Uuid),
      hash_file_url: Type.Optional(Type.String()),
    }),
    { description: 'One of them; nothing after the last.' },
  ),
});

export const test_gdprExportHashFile = endpoint({
  ...ofApp,
  id: 'test_gdprExportHashFile',
  path: `${at}/hashFiles`,
  summary: 'Reads the first file of tests, or the next',
  query: AfterId,
  response: json(Type.Object({ id: Type.Optional(Uuid), filename: Type.Optional(Type.String()) }), {
    description: 'One of them; nothing after the last.',
  }),
});

export const test_gdprExportPipelineTest = endpoint({
  ...ofApp,
  id: 'test_gdprExportPipelineTest',
  path: `${at}/pipelineTests`,
  summary: 'Reads the parameters of the newest test run, or of the next',
  query: AfterId,
  response: json(
    Type.Object({
      app_upload_id: Type.Optional(Uuid),
      test_parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    { description: 'One of them; nothing after the last.' },
  ),
});

export const test_gdprExportTestRun = endpoint({
  ...ofApp,
  id: 'test_gdprExportTestRun',
  path: `${at}/testRuns`,
  summary: 'Reads the newest test run, or the next',
  query: AfterId,
  response: json(
    Type.Object({
      id: Type.Optional(Uuid),
      app_hash_file_id: Type.Optional(Uuid),
      locale: Type.Optional(Type.String()),
      app_hash_file_url: Type.Optional(Type.String()),
    }),
    { description: 'One of them; nothing after the last.' },
  ),
});
