import { GenericLogs } from '../analytics/log-flow.contract.ts';
import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { at, params, reading } from './shapes.ts';

const description =
  'Oldest first, the last 100 until it happened, which is the last of them. Only it, where the session is not known or kept no longer.';
const query = Type.Object({
  date: Type.Optional(Type.String({ format: 'date-time', description: 'When it happened; it is found without, too.' })),
});
const response = json(GenericLogs, { description: 'The logs; none if nobody knows the report.' });

export const Crashes_ListSessionLogs = endpoint({
  ...reading,
  id: 'Crashes_ListSessionLogs',
  path: `${at}/crashes/{crash_id}/session_logs`,
  summary: 'Shows what came in the session of a crash until it happened',
  description,
  params: params.crashAttachments,
  query,
  response,
});

export const Errors_ListSessionLogs = endpoint({
  ...reading,
  id: 'Errors_ListSessionLogs',
  path: `${at}/errors/{errorId}/sessionLogs`,
  summary: 'Shows what came in the session of a crash or an error until it happened',
  description,
  params: params.ofError,
  query,
  response,
});
