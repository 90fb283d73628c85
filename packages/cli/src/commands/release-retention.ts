import {
  BULK_DELETE_MAX,
  type OutputOf,
  orgReleaseRetention_get,
  orgReleaseRetention_preview,
  orgReleaseRetention_set,
  releaseRetention_get,
  releaseRetention_preview,
  releaseRetention_set,
  releases_deleteMany,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { confirm } from '../prompt.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Rule = OutputOf<typeof releaseRetention_get>;
type Previewed = OutputOf<typeof releaseRetention_preview>['releases'][number];

const ruleColumns: Column<Rule>[] = [
  { header: 'KEEP LAST', value: ({ keep_last }) => keep_last },
  { header: 'KEEP DAYS', value: ({ keep_days }) => keep_days },
  { header: 'KEEP LATEST OF GROUPS', value: ({ keep_latest }) => keep_latest },
  { header: 'RULE OF', value: ({ source }) => source },
];

const previewColumns: Column<Previewed>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'SIZE', value: ({ size }) => size },
];

const ruleOptions = {
  last: { value: 'COUNT', summary: 'So many of the newest stay' },
  days: { value: 'DAYS', summary: 'What is younger stays' },
  latest: {
    value: 'yes|no',
    summary: 'What is the latest of a group, or in a store, stays; yes if absent',
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
  if (!Number.isInteger(count) || count < 1) throw wrongUsage(`--${name} is a whole number from 1 on, not "${text}".`);
  return count;
}

export const readRule = ({ last, days, latest }: RuleOptions) => ({
  keep_last: last === undefined ? undefined : readCount('last', last),
  keep_days: days === undefined ? undefined : readCount('days', days),
  keep_latest: latest !== 'no',
});

const org = { summary: 'Name of the organization' } as const;

export const retentionCommands = [
  operation({
    name: 'releases retention show',
    endpoint: releaseRetention_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: ruleColumns,
  }),
  operation({
    name: 'releases retention set',
    endpoint: releaseRetention_set,
    summary: 'Says which releases of an app are kept; without --last and --days all are',
    arguments: { app },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: readApp(args.app), body: readRule(options) }),
    columns: ruleColumns,
    confirm: ({ args }) =>
      `Delete releases of ${args.app} by this rule, every hour? See what goes: releases prune --dry-run`,
  }),
  operation({
    name: 'orgs retention show',
    endpoint: orgReleaseRetention_get,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: ruleColumns,
  }),
  operation({
    name: 'orgs retention preview',
    endpoint: orgReleaseRetention_preview,
    arguments: { org },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: { org_name: args.org }, body: readRule(options) }),
    line: ({ apps, size }) =>
      [
        ...apps.map(({ app_name, releases }) => `${app_name}: releases ${releases.map(({ id }) => id).join(', ')}`),
        `${size} bytes in all`,
      ].join('\n'),
  }),
  operation({
    name: 'orgs retention set',
    endpoint: orgReleaseRetention_set,
    summary: 'Says which releases are kept of apps of an organization that have no rule of their own',
    arguments: { org },
    options: ruleOptions,
    input: ({ args, options }) => ({ params: { org_name: args.org }, body: readRule(options) }),
    columns: ruleColumns,
    confirm: ({ args }) =>
      `Delete releases of the apps of ${args.org} by this rule, every hour? See what goes: orgs retention preview`,
  }),
  command({
    name: 'releases prune',
    summary: 'Deletes old releases now: by the rule of the app, or by another',
    arguments: { app },
    options: {
      ...ruleOptions,
      'dry-run': { summary: 'Only list what would be deleted' },
      yes: { summary: 'Do not ask' },
    },
    async run({ args, options, out, connect }) {
      const params = readApp(args.app);
      const { call } = connect();
      const isSaid = options.last !== undefined || options.days !== undefined;
      const { keep_last, keep_days, keep_latest } = isSaid
        ? readRule(options)
        : await call(releaseRetention_get, { params });
      if (keep_last === undefined && keep_days === undefined)
        throw wrongUsage(`${args.app} keeps all releases; say which to keep: --last COUNT, or --days DAYS.`);
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
