import { feedback_get, feedback_list, feedback_update, feedbackReplies_send, feedbackStates } from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { operation, type Row } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Message = Omit<Row<typeof feedback_list>, 'picture_count' | 'reply_count'>;

const id = { summary: 'Feedback ID, as in "mooring feedback list"' } as const;
const at = (args: { app: string; id: string }) => ({ ...readApp(args.app), feedback_id: args.id });

const MAX_TEXT = 80;

const formatVersion = ({ version, app_build }: Message): string =>
  [version, app_build && `(${app_build})`].filter(Boolean).join(' ');

const columns: Column<Message>[] = [
  { header: 'ID', value: (one) => one.id },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'RECEIVED', value: ({ received_at }) => received_at, isTime: true },
  { header: 'VERSION', value: formatVersion },
  { header: 'FROM', value: ({ name, email }) => name ?? email },
  { header: 'ASSIGNEE', value: ({ assignee }) => assignee?.name },
  { header: 'TEXT', value: ({ text }) => text.replace(/\s+/g, ' ').slice(0, MAX_TEXT) },
];

export const feedbackCommands = [
  operation({
    name: 'feedback list',
    endpoint: feedback_list,
    summary: 'List the feedback of an app, newest first',
    arguments: { app },
    options: {
      state: { value: 'STATE', summary: 'Filter by state', choices: [...feedbackStates, 'unresolved'] as const },
      assignee: { value: 'USER', summary: 'Filter by assignee; - for none' },
      version: { value: 'VERSION', summary: 'Filter by app version' },
      search: { value: 'WORDS', summary: 'Words in the text, name or address' },
    },
    input: ({ args, options: { state, assignee, version, search } }) => ({
      params: readApp(args.app),
      query: {
        ...(state ? { state } : {}),
        ...(assignee ? { assignee } : {}),
        ...(version ? { version } : {}),
        ...(search ? { search } : {}),
      },
    }),
    columns,
  }),
  operation({
    name: 'feedback show',
    endpoint: feedback_get,
    summary: 'Show feedback: text, sender, device and links',
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args) }),
    columns: [
      ...columns.slice(0, -1),
      { header: 'EMAIL', value: ({ email }) => email },
      { header: 'SOURCE', value: ({ source }) => source },
      { header: 'DEVICE', value: ({ model, os }) => [model, os].filter(Boolean).join(', ') },
      { header: 'ISSUE', value: ({ crash }) => crash?.issue_id },
      { header: 'RELEASE', value: ({ release_id }) => release_id },
      { header: 'PICTURES', value: ({ picture_count }) => picture_count },
      { header: 'REPLIES', value: ({ reply_count }) => reply_count },
      { header: 'TEXT', value: ({ text }) => text },
    ],
  }),
  operation({
    name: 'feedback close',
    endpoint: feedback_update,
    summary: 'Close feedback',
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args), body: { state: 'closed' as const } }),
    columns,
  }),
  operation({
    name: 'feedback reply',
    endpoint: feedbackReplies_send,
    summary: 'Reply to feedback by email',
    arguments: { app, id, text: { summary: 'The text of the email' } },
    input: ({ args }) => ({ params: at(args), body: { text: args.text } }),
    done: ({ args }) => `Sent the reply to feedback ${args.id}.`,
  }),
];
