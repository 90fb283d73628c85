import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, PathName, Time } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

/** What is counted: bytes that are kept now, and what came within a month. */
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
/** What an operator can limit. */
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
  id: Type.Optional(Type.String({ description: 'Of the account.' })),
  usage: Type.Optional(
    Type.Object({
      buildService: Type.Optional(Service),
      testService: Type.Optional(Service),
      allServices: Type.Optional(
        Type.Object(
          { currentUsagePeriod: Type.Optional(Period) },
          {
            description:
              'storage_bytes: what is kept now. devices: active within the 28 days that end with the period. The others: within the period; test_minutes counts each device of a run; attachments_left_out are those of crashes and errors that are not kept, as they were too large or too many, or the storage was used up; ingested_bytes_hour: bytes of logs that devices sent within the last sixty minutes.',
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
  description: 'Figures alone: there are no plans here.',
});

const query = Type.Object({
  service: Type.Optional(Type.Enum(['Test', 'Build'], { description: 'Only what this one used.' })),
  period: Type.Optional(
    Type.Enum(['Previous', 'Current', 'Next'], { description: 'The month, in UTC; the current one if absent.' }),
  ),
  showOriginalPlans: Type.Optional(Type.Boolean({ description: 'Taken, and without effect: there are no plans.' })),
});
const common = { method: 'GET', tag: 'usage', effect: 'read', errorShape: 'numbered', query } as const;

export const billingAggregatedInformation_getByApp = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getByApp',
  path: '/v0.1/apps/{owner_name}/{app_name}/billing/aggregated',
  summary: 'Tells what an app uses',
  access: 'app:viewer',
  params: Type.Object(AppPath),
  response: json(AccountUsage, { description: 'What it uses.' }),
  errors: [404],
});

export const billingAggregatedInformation_getForOrg = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getForOrg',
  path: '/v0.1/orgs/{org_name}/billing/aggregated',
  summary: 'Tells what an organization and each of its apps use',
  access: 'org:admin',
  params: Type.Object(OrgPath),
  response: json(AccountUsage, { description: 'What it uses.' }),
  errors: [404],
});

export const billingAggregatedInformation_getAll = endpoint({
  ...common,
  id: 'billingAggregatedInformation_getAll',
  path: '/v0.1/billing/allAccountsAggregated',
  summary: 'Tells what your own apps and those of the organizations that you administer use',
  access: 'user',
  response: json(Type.Object({ aggregatedBillings: Type.Optional(AccountUsage) }), { description: 'All together.' }),
});

export const Users_getUserMetadata = endpoint({
  id: 'Users_getUserMetadata',
  method: 'GET',
  path: '/v0.1/user/metadata/optimizely',
  tag: 'account',
  summary: 'Answers an empty object: nobody is experimented with here',
  access: 'user',
  effect: 'read',
  response: json(Type.Object({ userId: Type.Optional(Type.String()), metadata: Type.Optional(Type.Object({})) }), {
    description: 'Nothing.',
  }),
});

const quotaFields = {
  storage_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'How many bytes all apps together may keep: releases, symbols, updates, attachments. No limit if absent.',
    }),
  ),
  build_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'How many minutes of a month runners may work on builds of all apps together. No limit if absent.',
    }),
  ),
};
export const Quotas = Type.Object(quotaFields, { $id: 'Quotas' });

export const AccountQuotas = Type.Object(
  {
    name: Type.String({ description: 'Of the user or the organization.' }),
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
  summary: 'Lists the users and organizations that have quotas, and what they use',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['name'], 'names')),
  response: json(Page(AccountQuotas), { description: 'A page of them, by name.' }),
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
  summary: 'Tells the quotas of a user or an organization, and what they use',
  access: 'admin',
  effect: 'read',
  response: json(AccountQuotas, { description: 'Both.' }),
  errors: [404],
});

export const adminQuotas_set = endpoint({
  ...quotas,
  id: 'adminQuotas_set',
  method: 'PUT',
  summary: 'Sets the quotas of a user or an organization',
  description: 'What is kept already stays; what would come on top is refused with 403.',
  access: 'admin',
  effect: 'change',
  request: json(Quotas),
  response: json(Quotas, { description: 'The quotas from now on.' }),
  errors: [404],
});
