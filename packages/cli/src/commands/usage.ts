import {
  adminQuotas_get,
  adminQuotas_list,
  adminQuotas_set,
  billingAggregatedInformation_getAll,
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { findTarget } from '../targets.ts';

type Usage = OutputOf<typeof billingAggregatedInformation_getByApp>;
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
  { header: 'ATTACHMENTS LEFT OUT', value: ({ figures }) => figures.attachments_left_out },
];

const rowsOf = ({ usage }: Usage): Row[] =>
  Object.entries(usage?.allServices?.currentUsagePeriod?.byApp ?? {}).map(([name, figures]) => ({ name, figures }));

const quotaColumns: Column<OutputOf<typeof adminQuotas_get>>[] = [
  { header: 'ACCOUNT', value: ({ name }) => name },
  { header: 'STORAGE QUOTA', value: ({ quotas }) => quotas.storage_bytes },
  { header: 'STORAGE USED', value: ({ used }) => used.storage_bytes },
  { header: 'BUILD MINUTES QUOTA', value: ({ quotas }) => quotas.build_minutes },
  { header: 'BUILD MINUTES USED', value: ({ used }) => used.build_minutes },
];

/** Nothing, if there is to be no limit. */
function readLimit(option: string, text: string): number | undefined {
  if (text === 'none') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw wrongUsage(`--${option} must be a whole number, or "none".`);
  return Number(text);
}

const account = { summary: 'Name of a user or an organization' } as const;

export const usageCommands = [
  command({
    name: 'usage',
    summary: 'Lists what your apps use, or those of an organization: bytes that are kept, devices, sessions of a month',
    options: {
      app: { value: 'OWNER/APP', summary: 'Only this app' },
      org: { value: 'NAME', summary: 'All apps of this organization' },
      period: { value: 'PERIOD', summary: 'Which month', choices: ['Previous', 'Current'] },
    },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const query = { period: options.period };
      const { call } = connect();
      const found: Usage =
        target === undefined
          ? ((await call(billingAggregatedInformation_getAll, { query })).aggregatedBillings ?? {})
          : 'app' in target
            ? await call(billingAggregatedInformation_getByApp, { params: target.app, query })
            : await call(billingAggregatedInformation_getForOrg, { params: target.org, query });
      out.table(found, rowsOf(found), columns);
    },
  }),
  operation({
    name: 'admin quotas list',
    endpoint: adminQuotas_list,
    input: () => ({}),
    columns: quotaColumns,
  }),
  operation({
    name: 'admin quotas show',
    endpoint: adminQuotas_get,
    arguments: { account },
    input: ({ args }) => ({ params: { name: args.account } }),
    columns: quotaColumns,
  }),
  operation({
    name: 'admin quotas set',
    endpoint: adminQuotas_set,
    arguments: { account },
    options: {
      storage: { value: 'BYTES', summary: 'How much all apps together may keep; "none" for no limit', required: true },
      'build-minutes': {
        value: 'MINUTES',
        summary: 'How long runners may work on their builds each month; no limit if it is left away',
      },
    },
    input: ({ args, options }) => ({
      params: { name: args.account },
      body: {
        storage_bytes: readLimit('storage', options.storage),
        build_minutes: readLimit('build-minutes', options['build-minutes'] ?? 'none'),
      },
    }),
    done: ({ args }) => `The quota of ${args.account} is set.`,
  }),
];
