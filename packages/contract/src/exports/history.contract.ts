import { bytes, endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';

/** As far back as telemetry can be kept at all. */
export const HISTORY_OLDEST_DAYS = 3650;
export const HISTORY_MAX_BYTES = 16 * 1024 * 1024;
/** What files of exports hold. */
export const historyEntities = ['logs', 'crashes', 'errors'] as const;

const home = {
  path: '/v0.1/apps/{owner_name}/{app_name}/history',
  tag: 'exports',
  params: Type.Object(AppPath),
  errors: [400, 403, 404],
} as const;

export const history_import = endpoint({
  ...home,
  id: 'history_import',
  method: 'POST',
  summary: 'Takes what devices sent to another server in the past, as exports of this API write it',
  description: `An array of records with the names of a file of an export: \`MessageType\`, \`InstallId\`, \`Timestamp\` and so on; of crashes and errors those that have their whole \`Log\`. Each counts on its own day, however long ago, up to ${HISTORY_OLDEST_DAYS} days, and becomes what it would have become; nobody is told of it as news, and it is not exported again. A request that was taken before is not taken again, and a log that comes by another one counts once.`,
  access: 'app:manager',
  effect: 'change',
  request: bytes({ types: ['application/json'], maxBytes: HISTORY_MAX_BYTES, maxInflated: HISTORY_MAX_BYTES }),
  response: json(
    Type.Object({
      accepted: Type.Integer({ minimum: 0, description: 'They are on the disk, and counted within seconds.' }),
      invalid: Type.Integer({ minimum: 0, description: 'Not understood: see the ingestion of the app.' }),
      dropped: Type.Integer({ minimum: 0, description: 'Too old or too far ahead.' }),
      is_repeated: Type.Boolean({
        description: 'The very same request was taken before; nothing of it was taken now.',
      }),
    }),
    { description: 'What became of the records.' },
  ),
});

export const history_read = endpoint({
  ...home,
  id: 'history_read',
  method: 'GET',
  summary: 'Returns what is kept of what devices sent on a day, as exports write it',
  description:
    'Logs of sessions and events as far as analytics keeps them, or reports of crashes or errors with their whole log. What it answers can be imported elsewhere.',
  access: 'app:viewer',
  effect: 'read',
  query: Type.Object({
    entity: Type.Enum([...historyEntities]),
    day: Type.String({ format: 'date', description: 'In UTC, by when they happened.' }),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'From `next_skip`.' })),
  }),
  response: json(
    Type.Object({
      records: Type.Array(Type.Record(Type.String(), Type.String())),
      next_skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Absent when there are no more.' })),
    }),
    { description: 'Records, oldest first.' },
  ),
});
