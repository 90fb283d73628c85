import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, PathName } from '../fields.ts';
import { Type } from '../type.ts';

const InstallPath = { ...AppPath, install_id: PathName };
const Done = Type.String({ description: 'What is dropped from now on.' });

const common = { tag: 'ingestion', access: 'app:manager', effect: 'change', errors: [404] } as const;

export const App_BlockLogs = endpoint({
  ...common,
  id: 'App_BlockLogs',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs',
  summary: 'Drops all logs of an app from now on',
  description: 'SDKs are told that all is well, because they would stop otherwise, until the app is started again.',
  params: Type.Object(AppPath),
  request: json(Type.Object({})),
  response: json(Done, { description: 'They are dropped.', isWritten: true }),
});

export const App_UnblockLogs = endpoint({
  ...common,
  id: 'App_UnblockLogs',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs',
  summary: 'Takes logs of an app again',
  params: Type.Object(AppPath),
  response: json(Done, { description: 'They are taken.', isWritten: true }),
});

export const Devices_BlockLogs = endpoint({
  ...common,
  id: 'Devices_BlockLogs',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs/{install_id}',
  summary: 'Drops all logs of one install of an app from now on',
  params: Type.Object(InstallPath),
  request: json(Type.Object({})),
  response: json(Done, { description: 'They are dropped.', isWritten: true }),
});

export const Devices_UnblockLogs = endpoint({
  ...common,
  id: 'Devices_UnblockLogs',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs/{install_id}',
  summary: 'Takes logs of an install again',
  params: Type.Object(InstallPath),
  response: json(Done, { description: 'They are taken.', isWritten: true }),
});
