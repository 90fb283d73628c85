import { Stack, Text } from '@mantine/core';
import { feedback_update } from '@mooring/contract';
import { IconMail } from '@tabler/icons-react';
import { type FeedbackItem, useChangeFeedbackItems, useFeedbackList } from '../../api/telemetry/feedback.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useStateActions } from '../../components/tables/state-actions.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink, NameLink } from '../../components/text/links.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { FeedbackStateBadge, formatAppVersion, formatAuthor, stateLabels } from './feedback-labels.tsx';

const states = [
  { value: 'unresolved', label: 'Not closed' },
  ...Object.entries(stateLabels).map(([value, label]) => ({ value, label })),
];

const isState = (value: string | undefined): value is FeedbackItem['state'] | 'unresolved' =>
  states.some((state) => state.value === value);

const actions = [
  { state: 'in_progress', label: 'Start' },
  { state: 'closed', label: 'Close' },
  { state: 'open', label: 'Reopen' },
] as const;

export default function FeedbackPage() {
  const { appRef, params, can } = useCurrentApp();
  const me = useCurrentUser();
  const filters = useFilters([
    { name: 'state', label: 'Status', kind: 'choice', choices: states },
    {
      name: 'assignee',
      label: 'Assignee',
      kind: 'choice',
      choices: [
        { value: me.name, label: 'Me' },
        { value: '-', label: 'Unassigned' },
      ],
    },
  ]);
  const { state, assignee } = filters.values;
  const feedback = useFeedbackList(appRef, {
    ...useListQuery(['received_at']),
    ...(isState(state) ? { state } : {}),
    ...(assignee ? { assignee } : {}),
  });
  const rowKey = ({ id }: FeedbackItem) => id;
  const { selection, bar } = useStateActions({
    rows: feedback.data,
    rowKey,
    rowName: ({ text }) => text.slice(0, 40),
    noun: ['message', 'messages'],
    actions,
    change: useChangeFeedbackItems(appRef),
  });
  const columns: Column<FeedbackItem>[] = [
    {
      id: 'message',
      label: 'Message',
      isWrapped: true,
      cell: (one) => (
        <Stack gap={2}>
          <NameLink to={pathTo('appFeedbackMessage', { ...params, feedback: one.id })}>
            {one.text.slice(0, 120)}
          </NameLink>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {formatAuthor(one)}
          </Text>
        </Stack>
      ),
    },
    { id: 'status', label: 'Status', width: 120, cell: ({ state }) => <FeedbackStateBadge state={state} /> },
    { id: 'version', label: 'Version', width: 120, mobileDisplay: 'label', cell: formatAppVersion },
    {
      id: 'device',
      label: 'Device',
      width: 160,
      isSecondary: true,
      cell: ({ model, os }) => [model, os].filter(Boolean).join(', '),
    },
    {
      id: 'pictures',
      label: 'Pictures',
      width: 85,
      isSecondary: true,
      isNumber: true,
      cell: ({ picture_count }) => (picture_count > 0 ? String(picture_count) : ''),
    },
    { id: 'assignee', label: 'Assignee', width: 130, cell: (one) => one.assignee?.display_name ?? '' },
    timeColumn('received_at', 'Received', ({ received_at }) => received_at, { sort: 'received_at' }),
  ];
  return (
    <Page title="Feedback" description="Messages from users and testers of the app.">
      {bar}
      <DataTable
        id="feedback"
        label="Feedback"
        query={feedback}
        columns={columns}
        rowKey={rowKey}
        {...(can(feedback_update) ? { selection } : {})}
        search="Search by text, name or address"
        filters={filters.bar}
        isServers
        empty={
          <EmptyState
            icon={<IconMail size={32} aria-hidden />}
            action={<ButtonLink to={pathTo('appReleases', params)}>Open releases</ButtonLink>}
          >
            No feedback yet. Testers can send it from the install page of a release, and apps with a Sentry SDK or the
            API.
          </EmptyState>
        }
      />
    </Page>
  );
}
