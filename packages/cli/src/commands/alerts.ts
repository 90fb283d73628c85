import {
  alertKindNames,
  alertRules_create,
  alertRules_delete,
  alertRules_list,
  alertRules_test,
  alertRules_update,
  alerts_list,
  type OutputOf,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Rule = OutputOf<typeof alertRules_create>;

const rule = { summary: 'Id, as in "mooring alerts rules list"' } as const;
const threshold = { value: 'NUMBER', summary: 'Beyond it, it alerts' } as const;
const subscription = {
  value: 'ID',
  summary: 'Subscription of the owner whose readers see a health event as long as it alerts',
} as const;

const columns: Column<Rule>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'THRESHOLD', value: (row) => row.threshold },
  { header: 'STATE', value: ({ state, enabled }) => (enabled ? state : 'disabled') },
  { header: 'VALUE', value: ({ last_value }) => last_value },
  { header: 'SINCE', value: ({ since }) => since, isTime: true },
  { header: 'REASON', value: ({ state_reason }) => state_reason },
];

function readThreshold(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw wrongUsage(`--threshold must be a number from 0, not "${text}".`);
  return number;
}

export const alertCommands = [
  operation({
    name: 'alerts list',
    endpoint: alerts_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'RULE', value: ({ rule_name }) => rule_name },
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'VALUE', value: ({ value }) => value },
      { header: 'THRESHOLD', value: (row) => row.threshold },
      { header: 'STARTED', value: ({ started_at }) => started_at, isTime: true },
      { header: 'ENDED', value: ({ ended_at }) => ended_at, isTime: true },
      { header: 'ABOUT', value: ({ subject }) => subject },
    ],
  }),
  operation({
    name: 'alerts rules list',
    endpoint: alertRules_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'alerts rules create',
    endpoint: alertRules_create,
    arguments: { app, name: { summary: 'What people call it' } },
    options: {
      kind: { value: 'KIND', summary: 'What is looked at', choices: alertKindNames, required: true },
      threshold: { ...threshold, required: true },
      'health-subscription': subscription,
    },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: {
        name: args.name,
        kind: options.kind,
        threshold: readThreshold(options.threshold),
        health_subscription_id: options['health-subscription'],
      },
    }),
    columns,
  }),
  operation({
    name: 'alerts rules update',
    endpoint: alertRules_update,
    arguments: { app, rule },
    options: {
      name: { value: 'NAME', summary: 'New name' },
      threshold,
      enabled: { value: 'yes|no', summary: 'Whether it is looked at', choices: ['yes', 'no'] },
      'health-subscription': { ...subscription, summary: `${subscription.summary}; "none" for none` },
    },
    input: ({ args, options: { name, threshold, enabled, 'health-subscription': health } }) => ({
      params: { ...readApp(args.app), rule_id: args.rule },
      body: {
        name,
        threshold: threshold === undefined ? undefined : readThreshold(threshold),
        enabled: enabled === undefined ? undefined : enabled === 'yes',
        health_subscription_id: health === 'none' ? null : health,
      },
    }),
    columns,
  }),
  operation({
    name: 'alerts test',
    endpoint: alertRules_test,
    arguments: { app, rule },
    input: ({ args }) => ({ params: { ...readApp(args.app), rule_id: args.rule }, body: {} }),
    columns: [
      { header: 'WEBHOOKS', value: ({ webhooks }) => webhooks },
      { header: 'MAILS', value: ({ mails }) => mails },
    ],
    done: (_, { webhooks, mails }) =>
      webhooks + mails > 0
        ? 'It is sent, marked as a test.'
        : 'Nobody would be told: no webhook waits for alerts of this app, and nobody asked for mails of them.',
  }),
  operation({
    name: 'alerts rules delete',
    endpoint: alertRules_delete,
    arguments: { app, rule },
    input: ({ args }) => ({ params: { ...readApp(args.app), rule_id: args.rule } }),
    confirm: ({ args }) => `Delete the alert rule ${args.rule} and its history?`,
    done: ({ args }) => `Deleted ${args.rule}.`,
  }),
];
