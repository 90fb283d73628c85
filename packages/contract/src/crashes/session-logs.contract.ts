import { GenericLogs } from '../analytics/log-flow.contract.ts';
import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { at, params, reading } from './shapes.ts';

const description =
  'The last 100 logs up to the report, oldest first; the report is the last one. If the session is unknown or no longer stored, only the report.';
const query = Type.Object({
  date: Type.Optional(
    Type.String({ format: 'date-time', description: 'The date of the report. Optional: finds it faster.' }),
  ),
});
const response = json(GenericLogs, { description: 'The logs. Empty if the report is unknown.' });

export const Crashes_ListSessionLogs = endpoint({
  ...reading,
  id: 'Crashes_ListSessionLogs',
  path: `${at}/crashes/{crash_id}/session_logs`,
  summary: 'List the logs of the session of a crash, up to the crash',
  description,
  params: params.crashAttachments,
  query,
  response,
});

export const Errors_ListSessionLogs = endpoint({
  ...reading,
  id: 'Errors_ListSessionLogs',
  path: `${at}/errors/{errorId}/sessionLogs`,
  summary: 'List the logs of the session of a crash or an error, up to it',
  description,
  params: params.ofError,
  query,
  response,
});
