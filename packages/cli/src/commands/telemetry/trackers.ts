import {
  bugTracker_createIssue,
  bugTracker_getRepoIssueFromCrash,
  bugTracker_unlinkIssue,
  bugtracker_check,
  bugtracker_connect,
  bugtracker_disconnect,
  bugtracker_getSettings,
  type EndpointOutput,
  trackerTypes,
} from '@mooring/contract';
import { readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const group = { summary: 'ID of the crash group' } as const;
const at = (args: { app: string; group: string }) => ({ ...readApp(args.app), crash_group_id: args.group });

const columns: Column<EndpointOutput<typeof bugtracker_getSettings>>[] = [
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'PROJECT', value: ({ project }) => project },
  { header: 'URL', value: ({ base_url }) => base_url },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'CREATES TICKETS', value: ({ event_types = [] }) => event_types.length > 0 },
  { header: 'FOLLOWS TICKETS', value: ({ follows_state }) => follows_state },
  { header: 'CLOSES TICKETS', value: ({ closes_tickets }) => closes_tickets },
  { header: 'WAITING', value: ({ waiting_tickets }) => waiting_tickets },
  { header: 'CHECKED', value: ({ checked_at }) => checked_at, isTime: true },
  { header: 'LAST ERROR', value: ({ trouble }) => trouble },
];

const ticketColumns: Column<EndpointOutput<typeof bugTracker_getRepoIssueFromCrash>>[] = [
  { header: 'TICKET', value: ({ id }) => id },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'URL', value: ({ url }) => url },
  { header: 'TITLE', value: ({ title }) => title },
  { header: 'LAST ERROR', value: ({ trouble }) => trouble },
];

const yesNo = ['yes', 'no'] as const;

export const trackerCommands = [
  operation({
    name: 'trackers show',
    summary: 'Show the bug tracker of an app',
    endpoint: bugtracker_getSettings,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'trackers connect',
    summary: 'Connect an app to a bug tracker',
    endpoint: bugtracker_connect,
    arguments: {
      app,
      project: { summary: 'Project: owner/repository, group/project, organization/project, or a Jira project key' },
    },
    options: {
      type: { value: 'TYPE', summary: 'Kind of bug tracker', choices: trackerTypes, required: true },
      'token-file': { value: 'FILE', summary: 'File with the token, or - for stdin' },
      url: { value: 'URL', summary: 'URL of the API; required for Jira' },
      user: { value: 'EMAIL', summary: 'Email of the token owner, for Jira Cloud' },
      label: { value: 'LABEL', summary: 'Label for each ticket' },
      'item-type': { value: 'TYPE', summary: 'Kind of ticket, for Jira and Azure DevOps (default Bug)' },
      automatic: { summary: 'Create a ticket for each new crash issue' },
      'follow-state': {
        value: 'yes|no',
        summary: 'Whether issues close and reopen with their tickets',
        choices: yesNo,
      },
      'close-tickets': { summary: 'Close and reopen tickets with their issues' },
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
    summary: 'Check the connection to the bug tracker of an app',
    endpoint: bugtracker_check,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), body: {} }),
    columns,
  }),
  operation({
    name: 'trackers disconnect',
    summary: 'Disconnect an app from its bug tracker; tickets are kept there',
    endpoint: bugtracker_disconnect,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Disconnect ${args.app} from its bug tracker? Issues lose the links to their tickets.`,
    done: ({ args }) => `Disconnected ${args.app} from its bug tracker.`,
  }),
  operation({
    name: 'trackers ticket show',
    summary: 'Show the ticket of a crash group',
    endpoint: bugTracker_getRepoIssueFromCrash,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args) }),
    columns: ticketColumns,
  }),
  operation({
    name: 'trackers ticket create',
    summary: 'Create a ticket for a crash group',
    endpoint: bugTracker_createIssue,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args), body: {} }),
    columns: ticketColumns,
  }),
  operation({
    name: 'trackers ticket unlink',
    summary: 'Unlink a crash group from its ticket, which is kept in the bug tracker',
    endpoint: bugTracker_unlinkIssue,
    arguments: { app, group },
    input: ({ args }) => ({ params: at(args) }),
    done: () => 'Unlinked the crash group from its ticket.',
  }),
];
