import {
  bugTracker_createIssue,
  bugTracker_getRepoIssueFromCrash,
  bugTracker_unlinkIssue,
  bugtracker_check,
  bugtracker_connect,
  bugtracker_disconnect,
  bugtracker_getSettings,
  type OutputOf,
  trackerTypes,
} from '@mooring/contract';
import { readText } from '../files.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const group = { summary: 'Id of the crash group, as `crashes list` prints it' } as const;
const at = (args: { app: string; group: string }) => ({ ...readApp(args.app), crash_group_id: args.group });

const columns: Column<OutputOf<typeof bugtracker_getSettings>>[] = [
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'PROJECT', value: ({ project }) => project },
  { header: 'ADDRESS', value: ({ base_url }) => base_url },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'AUTOMATIC', value: ({ event_types = [] }) => event_types.length > 0 },
  { header: 'FOLLOWS', value: ({ follows_state }) => follows_state },
  { header: 'CLOSES', value: ({ closes_tickets }) => closes_tickets },
  { header: 'WAITING', value: ({ waiting_tickets }) => waiting_tickets },
  { header: 'CHECKED', value: ({ checked_at }) => checked_at, isTime: true },
  { header: 'TROUBLE', value: ({ trouble }) => trouble },
];

const ticketColumns: Column<OutputOf<typeof bugTracker_getRepoIssueFromCrash>>[] = [
  { header: 'TICKET', value: ({ id }) => id },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'URL', value: ({ url }) => url },
  { header: 'TITLE', value: ({ title }) => title },
  { header: 'TROUBLE', value: ({ trouble }) => trouble },
];

const yesNo = ['yes', 'no'] as const;

export const trackerCommands = [
  operation({
    name: 'trackers show',
    endpoint: bugtracker_getSettings,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'trackers connect',
    endpoint: bugtracker_connect,
    arguments: { app, project: { summary: 'owner/repository, group/project, organization/project, or a key of Jira' } },
    options: {
      type: { value: 'TYPE', summary: 'Which kind it is', choices: trackerTypes, required: true },
      'token-file': { value: 'FILE', summary: 'File with a token, or - for standard input' },
      url: { value: 'URL', summary: 'Where its interface is; of Jira always' },
      user: { value: 'EMAIL', summary: 'Of Jira in the cloud: whom the token belongs to' },
      label: { value: 'LABEL', summary: 'Put on each ticket' },
      'item-type': { value: 'TYPE', summary: 'Of Jira and Azure DevOps: the kind of ticket (default Bug)' },
      automatic: { summary: 'Make a ticket with the first crash of an issue' },
      'follow-state': { value: 'yes|no', summary: 'Whether issues close and open with their tickets', choices: yesNo },
      'close-tickets': { summary: 'Close and open tickets with their issues' },
    },
    input: async ({
      args,
      options: {
        'token-file': from,
        'item-type': item_type,
        'follow-state': follow,
        'close-tickets': closes_tickets,
        ...options
      },
    }) => ({
      params: readApp(args.app),
      body: {
        type: options.type,
        project: args.project,
        base_url: options.url,
        user_name: options.user,
        label: options.label,
        item_type,
        token: from === undefined ? undefined : (await readText(from, 'token')).trim(),
        event_types: options.automatic ? ['newCrashGroupCreated' as const] : [],
        follows_state: follow === undefined ? undefined : follow === 'yes',
        closes_tickets,
      },
    }),
    columns,
  }),
  operation({
    name: 'trackers check',
    endpoint: bugtracker_check,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), body: {} }),
    columns,
  }),
  operation({
    name: 'trackers disconnect',
    endpoint: bugtracker_disconnect,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Take ${args.app} from its bug tracker? Nothing here leads to its tickets any more.`,
    done: ({ args }) => `${args.app} has no bug tracker.`,
  }),
  operation({
    name: 'trackers ticket show',
    endpoint: bugTracker_getRepoIssueFromCrash,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args) }),
    columns: ticketColumns,
  }),
  operation({
    name: 'trackers ticket create',
    endpoint: bugTracker_createIssue,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args), body: {} }),
    columns: ticketColumns,
  }),
  operation({
    name: 'trackers ticket unlink',
    endpoint: bugTracker_unlinkIssue,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args) }),
    done: () => 'The crash group has no ticket.',
  }),
];
