import { endpoint, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { Count, Range, Top } from './shapes.ts';

const at = '/v0.1/apps/{owner_name}/{app_name}/analytics/crash_groups';
const Id = Type.String({ minLength: 1, maxLength: 128 });
const params = Type.Object({ ...AppPath, crash_group_id: Id });
const reading = {
  method: 'GET',
  tag: 'crashes',
  access: 'app:viewer',
  effect: 'read',
  errorShape: 'numbered',
  errors: [400, 403, 404],
} as const;
const Version = {
  version: Type.String({
    maxLength: 256,
    description: 'The version of the group. Any other version returns no crashes.',
  }),
};
const Totals = Type.Object({ crash_count: Count, device_count: Count });

export const Analytics_CrashGroupsTotals = endpoint({
  ...reading,
  method: 'POST',
  id: 'Analytics_CrashGroupsTotals',
  path: at,
  summary: 'Count crashes and devices of several crash groups',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      crash_groups: Type.Array(
        Type.Object({ crash_group_id: Id, app_version: Type.Optional(Type.String({ maxLength: 256 })) }),
        { maxItems: 1000 },
      ),
    }),
  ),
  response: json(
    Type.Array(Type.Object({ crash_group_id: Type.String(), app_version: Type.String(), overall: Totals })),
    { description: 'The counts. Unknown groups have none.' },
  ),
});

export const Analytics_CrashGroupCounts = endpoint({
  ...reading,
  id: 'Analytics_CrashGroupCounts',
  path: `${at}/{crash_group_id}/crash_counts`,
  summary: 'Count crashes of a crash group by day',
  params,
  query: Type.Object({ ...Version, ...Range }),
  response: json(
    Type.Object({ count: Count, crashes: Type.Array(Type.Object({ datetime: Type.String(), count: Count })) }),
    { description: 'The counts.' },
  ),
});

export const Analytics_CrashGroupModelCounts = endpoint({
  ...reading,
  id: 'Analytics_CrashGroupModelCounts',
  path: `${at}/{crash_group_id}/models`,
  summary: 'Count crashes of a crash group by model, highest count first',
  params,
  query: Type.Object({ ...Version, ...Top }),
  response: json(
    Type.Object({
      crash_count: Count,
      models: Type.Array(Type.Object({ model_name: Type.String(), crash_count: Count })),
    }),
    { description: 'The counts.' },
  ),
});

export const Analytics_CrashGroupOperatingSystemCounts = endpoint({
  ...reading,
  id: 'Analytics_CrashGroupOperatingSystemCounts',
  path: `${at}/{crash_group_id}/operating_systems`,
  summary: 'Count crashes of a crash group by operating system, highest count first',
  params,
  query: Type.Object({ ...Version, ...Top }),
  response: json(
    Type.Object({
      crash_count: Count,
      operating_systems: Type.Array(Type.Object({ operating_system_name: Type.String(), crash_count: Count })),
    }),
    { description: 'The counts.' },
  ),
});

export const Analytics_CrashGroupTotals = endpoint({
  ...reading,
  id: 'Analytics_CrashGroupTotals',
  path: `${at}/{crash_group_id}/overall`,
  summary: 'Count crashes and devices of a crash group',
  params,
  query: Type.Object(Version),
  response: json(Totals, { description: 'The counts.' }),
});
