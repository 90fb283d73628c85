import {
  alertKindNames,
  alertRules_create,
  alertRules_delete,
  alertRules_list,
  alertRules_test,
  alertRules_update,
  alerts_list,
  type EndpointOutput,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Rule = EndpointOutput<typeof alertRules_create>;

const rule = { summary: 'Rule ID, as in "mooring alerts rules list"' } as const;
const threshold = { value: 'NUMBER', summary: 'Value beyond which the rule alerts' } as const;
const subscription = {
  value: 'ID',
  summary: 'Subscription whose readers see a health event during an alert',
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
  if (text.trim() === '' || !(number >= 0))
    throw wrongUsage(`--threshold must be 0 or a positive number, not "${text}".`);
  return number;
}

export const alertCommands = [
  operation({
    name: 'alerts list',
    summary: 'List the alerts of an app, newest first',
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
      { header: 'SUBJECT', value: ({ subject }) => subject },
    ],
  }),
  operation({
    name: 'alerts rules list',
    summary: 'List the alert rules of an app with their state',
    endpoint: alertRules_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'alerts rules create',
    summary: 'Create an alert rule',
    endpoint: alertRules_create,
    arguments: { app, name: { summary: 'Name of the rule' } },
    options: {
      kind: { value: 'KIND', summary: 'Measured value', choices: alertKindNames, required: true },
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
    summary: 'Change an alert rule',
    endpoint: alertRules_update,
    arguments: { app, rule },
    options: {
      name: { value: 'NAME', summary: 'New name' },
      threshold,
      enabled: { value: 'yes|no', summary: 'Whether the rule is active', choices: ['yes', 'no'] },
      'health-subscription': { ...subscription, summary: `${subscription.summary}; "none" to remove it` },
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
    summary: 'Send a test message to all recipients of an alert rule',
    endpoint: alertRules_test,
    arguments: { app, rule },
    input: ({ args }) => ({ params: { ...readApp(args.app), rule_id: args.rule }, body: {} }),
    columns: [
      { header: 'WEBHOOKS', value: ({ webhooks }) => webhooks },
      { header: 'EMAILS', value: ({ mails }) => mails },
    ],
    done: (_, { webhooks, mails }) =>
      webhooks + mails > 0
        ? 'Sent the message, marked as a test.'
        : 'No message sent: no webhook subscribes to alerts of this app, and no user gets emails about them.',
  }),
  operation({
    name: 'alerts rules delete',
    summary: 'Delete an alert rule and its history, and end its alert',
    endpoint: alertRules_delete,
    arguments: { app, rule },
    input: ({ args }) => ({ params: { ...readApp(args.app), rule_id: args.rule } }),
    confirm: ({ args }) => `Delete the alert rule ${args.rule} and its history?`,
    done: ({ args }) => `Deleted alert rule ${args.rule}.`,
  }),
];
