import {
  adminQuotas_get,
  adminQuotas_list,
  adminQuotas_set,
  billingAggregatedInformation_getAll,
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type EndpointOutput,
} from '@mooring/contract';
import { findTarget } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Usage = EndpointOutput<typeof billingAggregatedInformation_getByApp>;
interface Row {
  name: string;
  figures: Record<string, number>;
}

const columns: Column<Row>[] = [
  { header: 'APP', value: ({ name }) => name },
  { header: 'STORAGE', value: ({ figures }) => figures.storage_bytes },
  { header: 'DEVICES', value: ({ figures }) => figures.devices },
  { header: 'SESSIONS', value: ({ figures }) => figures.sessions },
  { header: 'EVENTS', value: ({ figures }) => figures.events },
  { header: 'BUILD MINUTES', value: ({ figures }) => figures.build_minutes },
  { header: 'TEST MINUTES', value: ({ figures }) => figures.test_minutes },
  { header: 'ATTACHMENTS DROPPED', value: ({ figures }) => figures.attachments_left_out },
];

const toRows = ({ usage }: Usage): Row[] =>
  Object.entries(usage?.allServices?.currentUsagePeriod?.byApp ?? {}).map(([name, figures]) => ({ name, figures }));

const quotaColumns: Column<EndpointOutput<typeof adminQuotas_get>>[] = [
  { header: 'ACCOUNT', value: ({ name }) => name },
  { header: 'STORAGE QUOTA', value: ({ quotas }) => quotas.storage_bytes },
  { header: 'STORAGE USED', value: ({ used }) => used.storage_bytes },
  { header: 'BUILD MINUTES QUOTA', value: ({ quotas }) => quotas.build_minutes },
  { header: 'BUILD MINUTES USED', value: ({ used }) => used.build_minutes },
];

/** Reads a quota; undefined means unlimited. */
function readLimit(option: string, text: string): number | undefined {
  if (text === 'none') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw wrongUsage(`--${option} must be a whole number or "none".`);
  return Number(text);
}

const account = { summary: 'Name of a user or an organization' } as const;

export const usageCommands = [
  command({
    name: 'usage',
    summary: 'List the storage, devices, sessions, events and minutes that apps used in a month',
    options: {
      app: { value: 'OWNER/APP', summary: 'App (default: all your apps)' },
      org: { value: 'NAME', summary: 'Organization, with all its apps' },
      period: { value: 'PERIOD', summary: 'Month (default Current)', choices: ['Previous', 'Current'] },
    },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const query = { period: options.period };
      const { call } = connect();
      const usage: Usage =
        target === undefined
          ? ((await call(billingAggregatedInformation_getAll, { query })).aggregatedBillings ?? {})
          : 'app' in target
            ? await call(billingAggregatedInformation_getByApp, { params: target.app, query })
            : await call(billingAggregatedInformation_getForOrg, { params: target.org, query });
      out.table(usage, toRows(usage), columns);
    },
  }),
  operation({
    name: 'admin quotas list',
    summary: 'List the users and organizations with quotas, and their usage',
    endpoint: adminQuotas_list,
    input: () => ({}),
    columns: quotaColumns,
  }),
  operation({
    name: 'admin quotas show',
    summary: 'Show the quotas and usage of a user or an organization',
    endpoint: adminQuotas_get,
    arguments: { account },
    input: ({ args }) => ({ params: { name: args.account } }),
    columns: quotaColumns,
  }),
  operation({
    name: 'admin quotas set',
    summary: 'Set the quotas of a user or an organization',
    endpoint: adminQuotas_set,
    arguments: { account },
    options: {
      storage: {
        value: 'BYTES',
        summary: 'Bytes that all apps together may store, or "none" for no limit',
        required: true,
      },
      'build-minutes': {
        value: 'MINUTES',
        summary: 'Build minutes per month (default: unlimited)',
      },
    },
    input: ({ args, options }) => ({
      params: { name: args.account },
      body: {
        storage_bytes: readLimit('storage', options.storage),
        build_minutes: readLimit('build-minutes', options['build-minutes'] ?? 'none'),
      },
    }),
    done: ({ args }) => `Set the quotas of ${args.account}.`,
  }),
];
