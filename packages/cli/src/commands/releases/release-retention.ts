import {
  BULK_DELETE_MAX,
  type EndpointOutput,
  orgReleaseRetention_get,
  orgReleaseRetention_preview,
  orgReleaseRetention_set,
  releaseRetention_get,
  releaseRetention_preview,
  releaseRetention_set,
  releases_deleteMany,
} from '@mooring/contract';
import { app, org, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { confirm } from '../../terminal/prompt.ts';

type Rule = EndpointOutput<typeof releaseRetention_get>;
type Previewed = EndpointOutput<typeof releaseRetention_preview>['releases'][number];

const ruleColumns: Column<Rule>[] = [
  { header: 'KEEP LAST', value: ({ keep_last }) => keep_last },
  { header: 'KEEP DAYS', value: ({ keep_days }) => keep_days },
  { header: 'KEEP LATEST', value: ({ keep_latest }) => keep_latest },
  { header: 'SOURCE', value: ({ source }) => source },
];

const previewColumns: Column<Previewed>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'SIZE', value: ({ size }) => size },
];

const ruleOptions = {
  last: { value: 'COUNT', summary: 'Number of newest releases to keep' },
  days: { value: 'DAYS', summary: 'Keep releases newer than this many days' },
  latest: {
    value: 'yes|no',
    summary: 'Keep the latest release of each group, and releases in stores (default yes)',
    choices: ['yes', 'no'],
  },
} as const;

interface RuleOptions {
  last: string | undefined;
  days: string | undefined;
  latest: 'yes' | 'no' | undefined;
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw wrongUsage(`--${name} must be a positive whole number, not "${text}".`);
  return count;
}

export const readRule = ({ last, days, latest }: RuleOptions) => ({
  keep_last: last === undefined ? undefined : readCount('last', last),
  keep_days: days === undefined ? undefined : readCount('days', days),
  keep_latest: latest !== 'no',
});

export const retentionCommands = [
  operation({
    name: 'releases retention show',
    summary: 'Show the release retention rule of an app',
    endpoint: releaseRetention_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: ruleColumns,
  }),
  operation({
    name: 'releases retention set',
    endpoint: releaseRetention_set,
    summary: 'Set the release retention rule of an app; without --last and --days, all releases are kept',
    arguments: { app },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: readApp(args.app), body: readRule(options) }),
    columns: ruleColumns,
    confirm: ({ args }) =>
      `Delete releases of ${args.app} by this rule, every hour? Preview: mooring releases prune ${args.app} --dry-run`,
  }),
  operation({
    name: 'orgs retention show',
    summary: 'Show the release retention rule of an organization',
    endpoint: orgReleaseRetention_get,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: ruleColumns,
  }),
  operation({
    name: 'orgs retention preview',
    summary: 'List the releases that a retention rule of an organization would delete now',
    endpoint: orgReleaseRetention_preview,
    arguments: { org },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: { org_name: args.org }, body: readRule(options) }),
    line: ({ apps, size }) =>
      [
        ...apps.map(({ app_name, releases }) => `${app_name}: releases ${releases.map(({ id }) => id).join(', ')}`),
        `Total: ${size} bytes`,
      ].join('\n'),
  }),
  operation({
    name: 'orgs retention set',
    endpoint: orgReleaseRetention_set,
    summary: 'Set the release retention rule of an organization; apps with their own rule are not affected',
    arguments: { org },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: { org_name: args.org }, body: readRule(options) }),
    columns: ruleColumns,
    confirm: ({ args }) =>
      `Delete releases of the apps of ${args.org} by this rule, every hour? Preview: mooring orgs retention preview ${args.org}`,
  }),
  command({
    name: 'releases prune',
    summary: 'Delete old releases now, as the retention rule of the app or these options say',
    arguments: { app },
    options: {
      ...ruleOptions,
      'dry-run': { summary: 'Only list the releases' },
      yes: { summary: 'Skip the confirmation prompt' },
    },
    async run({ args, options, out, connect }) {
      const params = readApp(args.app);
      const { call } = connect();
      const isSpecified = options.last !== undefined || options.days !== undefined;
      const { keep_last, keep_days, keep_latest } = isSpecified
        ? readRule(options)
        : await call(releaseRetention_get, { params });
      if (keep_last === undefined && keep_days === undefined)
        throw wrongUsage(`${args.app} has no retention rule. Use --last COUNT or --days DAYS.`);
      const preview = await call(releaseRetention_preview, { params, body: { keep_last, keep_days, keep_latest } });
      const ids = preview.releases.map(({ id }) => id);
      if (options['dry-run'] || ids.length === 0) {
        out.table(preview, preview.releases, previewColumns);
        return;
      }
      if (!options.yes)
        await confirm(`Delete ${ids.length} releases of ${args.app} with their files: ${ids.join(', ')}?`);
      const deleted: number[] = [];
      for (let at = 0; at < ids.length; at += BULK_DELETE_MAX) {
        const body = { release_ids: ids.slice(at, at + BULK_DELETE_MAX) };
        deleted.push(...(await call(releases_deleteMany, { params, body })).deleted);
      }
      out.value({ deleted }, `Deleted ${deleted.length} releases.`);
    },
  }),
];
