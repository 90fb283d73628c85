import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, PathName, Time } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

/** Measures: stored bytes now, and activity within a month. */
export const measures = [
  'storage_bytes',
  'devices',
  'sessions',
  'events',
  'build_minutes',
  'test_minutes',
  'attachments_left_out',
  'ingested_bytes_hour',
] as const;
export type MeasureName = (typeof measures)[number];
/** Measures that an operator can limit. */
export const limitedMeasures = ['storage_bytes', 'build_minutes'] as const satisfies readonly MeasureName[];

const Figures = Type.Record(Type.String(), Type.Number());
const Period = Type.Object({
  startTime: Type.Optional(Time),
  endTime: Type.Optional(Time),
  byAccount: Type.Optional(Figures),
  byApp: Type.Optional(Type.Record(Type.String(), Figures, { description: 'By owner and name of the app.' })),
});
const Service = Type.Object({ currentUsagePeriod: Type.Optional(Period) });

const usageFields = {
  version: Type.Optional(Type.String()),
  timestamp: Type.Optional(Time),
  id: Type.Optional(Type.String({ description: 'The ID of the account.' })),
  usage: Type.Optional(
    Type.Object({
      buildService: Type.Optional(Service),
      testService: Type.Optional(Service),
      allServices: Type.Optional(
        Type.Object(
          { currentUsagePeriod: Type.Optional(Period) },
          {
            description:
              'storage_bytes: bytes stored now. devices: active within the 28 days that end with the period. All others: within the period. test_minutes counts each device of a run. attachments_left_out: attachments of crashes and errors that were not stored, because they were too large or too many, or exceeded the storage quota. ingested_bytes_hour: bytes of logs received within the last 60 minutes.',
          },
        ),
      ),
    }),
  ),
  azureSubscriptionState: Type.Optional(
    Type.Enum(['Enabled', 'Disabled', 'NotSet'], {
      description: 'Always NotSet: this server is not billed through an Azure subscription.',
    }),
  ),
};
export const AccountUsage = Type.Object(usageFields, {
  $id: 'AccountUsage',
  description: 'Usage figures. This server has no billing plans.',
});

const query = Type.Object({
  service: Type.Optional(Type.Enum(['Test', 'Build'], { description: 'Only the usage of this service.' })),
  period: Type.Optional(
    Type.Enum(['Previous', 'Current', 'Next'], { description: 'The month, in UTC (default: the current month).' }),
  ),
  showOriginalPlans: Type.Optional(Type.Boolean({ description: 'Ignored, because there are no billing plans.' })),
});
const common = { method: 'GET', tag: 'usage', effect: 'read', errorShape: 'numbered', query } as const;

export const billingAggregatedInformation_getByApp = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getByApp',
  path: '/v0.1/apps/{owner_name}/{app_name}/billing/aggregated',
  summary: 'Get the usage of an app',
  access: 'app:viewer',
  params: Type.Object(AppPath),
  response: json(AccountUsage, { description: 'The usage.' }),
  errors: [404],
});

export const billingAggregatedInformation_getForOrg = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getForOrg',
  path: '/v0.1/orgs/{org_name}/billing/aggregated',
  summary: 'Get the usage of an organization and each of its apps',
  access: 'org:admin',
  params: Type.Object(OrgPath),
  response: json(AccountUsage, { description: 'The usage.' }),
  errors: [404],
});

export const billingAggregatedInformation_getAll = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getAll',
  path: '/v0.1/billing/allAccountsAggregated',
  summary: 'Get the usage of your apps and of the organizations that you administer',
  access: 'user',
  response: json(Type.Object({ aggregatedBillings: Type.Optional(AccountUsage) }), { description: 'The total usage.' }),
});

export const Users_getUserMetadata = endpoint({
  id: 'Users_getUserMetadata',
  method: 'GET',
  path: '/v0.1/user/metadata/optimizely',
  tag: 'account',
  summary: 'Get an empty object, because there are no experiments',
  access: 'user',
  effect: 'read',
  response: json(Type.Object({ userId: Type.Optional(Type.String()), metadata: Type.Optional(Type.Object({})) }), {
    description: 'An empty object.',
  }),
});

const quotaFields = {
  storage_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The maximum number of bytes that all apps together may store: releases, symbols, updates and attachments (default: unlimited).',
    }),
  ),
  build_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The maximum number of build minutes per month for all apps together (default: unlimited).',
    }),
  ),
};
export const Quotas = Type.Object(quotaFields, { $id: 'Quotas' });

export const AccountQuotas = Type.Object(
  {
    name: Type.String({ description: 'The name of the user or organization.' }),
    kind: Type.Enum(['user', 'org']),
    quotas: Quotas,
    used: Type.Object(quotaFields),
  },
  { $id: 'AccountQuotas' },
);

export const adminQuotas_list = endpoint({
  id: 'adminQuotas_list',
  method: 'GET',
  path: '/v0.1/admin/quotas',
  tag: 'administration',
  summary: 'List the users and organizations with quotas, and their usage',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['name'], 'names')),
  response: json(Page(AccountQuotas), { description: 'A page of quotas, sorted by name.' }),
});

const quotas = {
  path: '/v0.1/admin/quotas/{name}',
  params: Type.Object({ name: PathName }),
  tag: 'administration',
} as const;

export const adminQuotas_get = endpoint({
  ...quotas,
  id: 'adminQuotas_get',
  method: 'GET',
  summary: 'Get the quotas and usage of a user or an organization',
  access: 'admin',
  effect: 'read',
  response: json(AccountQuotas, { description: 'The quotas and the usage.' }),
  errors: [404],
});

export const adminQuotas_set = endpoint({
  ...quotas,
  id: 'adminQuotas_set',
  method: 'PUT',
  summary: 'Set the quotas of a user or an organization',
  description: 'Stored data stays; additional data is rejected with 403.',
  access: 'admin',
  effect: 'change',
  request: json(Quotas),
  response: json(Quotas, { description: 'The updated quotas.' }),
  errors: [404],
});
