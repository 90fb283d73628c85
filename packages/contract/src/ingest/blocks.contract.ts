import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, PathName } from '../fields.ts';
import { Type } from '../type.ts';

const InstallPath = { ...AppPath, install_id: PathName };
const Done = Type.String({ description: 'A confirmation.' });

const common = { tag: 'ingestion', access: 'app:manager', effect: 'change', errors: [404] } as const;

export const App_BlockLogs = endpoint({
  ...common,
  id: 'App_BlockLogs',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs',
  summary: 'Block the logs of an app: drop all logs from now on',
  description: 'SDKs still get a success response; otherwise they would stop sending until the app is restarted.',
  params: Type.Object(AppPath),
  request: json(Type.Object({})),
  response: json(Done, { description: 'The logs are blocked.', isWritten: true }),
});

export const App_UnblockLogs = endpoint({
  ...common,
  id: 'App_UnblockLogs',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs',
  summary: 'Unblock the logs of an app',
  params: Type.Object(AppPath),
  response: json(Done, { description: 'The logs are accepted again.', isWritten: true }),
});

export const Devices_BlockLogs = endpoint({
  ...common,
  id: 'Devices_BlockLogs',
  method: 'PUT',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs/{install_id}',
  summary: 'Block the logs of an install: drop all logs from now on',
  params: Type.Object(InstallPath),
  request: json(Type.Object({})),
  response: json(Done, { description: 'The logs are blocked.', isWritten: true }),
});

export const Devices_UnblockLogs = endpoint({
  ...common,
  id: 'Devices_UnblockLogs',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/devices/block_logs/{install_id}',
  summary: 'Unblock the logs of an install',
  params: Type.Object(InstallPath),
  response: json(Done, { description: 'The logs are accepted again.', isWritten: true }),
});
