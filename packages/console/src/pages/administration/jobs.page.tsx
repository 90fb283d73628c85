import { Code, Group, Tabs, Text } from '@mantine/core';
import { jobStates } from '@mooring/contract';
import { IconStack2 } from '@tabler/icons-react';
import {
  type Job,
  type JobState,
  useDeleteJob,
  useJobs,
  useReplayJob,
  useServer,
} from '../../api/administration/administration.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { useUrlState } from '../../routing/url-state.ts';

const stateTexts: Record<JobState, { label: string; empty: string; when: string }> = {
  dead: { label: 'Failed', empty: 'No failed jobs', when: 'Failed' },
  waiting: { label: 'Queued', empty: 'No queued jobs', when: 'Due' },
  running: { label: 'Running', empty: 'No running jobs', when: 'Lease ends' },
};

const isState = (text: string): text is JobState => text in stateTexts;

export default function JobsPage() {
  const [requestedState, setState] = useUrlState('state');
  const counts = useServer().data?.jobs;
  const state = isState(requestedState) ? requestedState : 'dead';
  return (
    <Page title="Jobs" description="Background work of the server, such as email, webhooks and cleanup.">
      <Tabs value={state} onChange={(chosen) => setState(chosen ?? '')} keepMounted={false}>
        <Tabs.List>
          {jobStates.map((each) => (
            <Tabs.Tab key={each} value={each} px="xs">
              {stateTexts[each].label}
              {counts && ` (${counts[each].toLocaleString()})`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {jobStates.map((each) => (
          <Tabs.Panel key={each} value={each} pt="md">
            {each === state && <Jobs state={each} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function Jobs({ state }: { state: JobState }) {
  const jobs = useJobs(state, useListQuery(['created_at', 'name']));
  const replay = useConfirm<Job>({
    title: ({ name }) => `Replay job ${name}?`,
    action: 'Replay job',
    isDangerous: false,
    consequence: () => 'The job restarts with all its attempts. Steps that succeeded before it failed may run twice.',
    openDialog: useReplayJob(),
  });
  const deletion = useConfirm<Job>({
    title: ({ name }) => `Delete job ${name}?`,
    action: 'Delete job',
    consequence: () => 'The job will not run. This cannot be undone.',
    openDialog: useDeleteJob(),
  });
  const actions = (job: Job) => (
    <>
      <RowButton onClick={() => replay.open(job)} label={`Replay ${job.name}`}>
        Replay
      </RowButton>
      <RowButton onClick={() => deletion.open(job)} label={`Delete ${job.name}`}>
        Delete
      </RowButton>
    </>
  );
  const columns = state === 'dead' ? [...createColumns(state), actionsColumn(160, actions)] : createColumns(state);
  return (
    <>
      <DataTable
        id="administration-jobs"
        label={`${stateTexts[state].label} jobs`}
        query={jobs}
        columns={columns}
        rowKey={({ id }) => id}
        search="Search jobs"
        isServers
        empty={<EmptyState icon={<IconStack2 size={32} aria-hidden />}>{stateTexts[state].empty}</EmptyState>}
      />
      {replay.dialog}
      {deletion.dialog}
    </>
  );
}

const createColumns = (state: JobState): Column<Job>[] => [
  { id: 'name', label: 'Job', sort: 'name', cell: (job) => <What job={job} />, text: ({ name }) => name },
  {
    id: 'attempts',
    label: 'Attempts',
    isNumber: true,
    width: 90,
    text: ({ attempts }) => attempts,
    cell: ({ attempts }) => attempts.toLocaleString(),
    mobileDisplay: 'label',
  },
  {
    id: 'last_error',
    label: 'Last error',
    text: ({ last_error }) => last_error,
    cell: ({ last_error }) => last_error ?? '—',
  },
  timeColumn('created_at', 'Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  timeColumn('time', stateTexts[state].when, ({ due_at, failed_at }) => (state === 'dead' ? failed_at : due_at)),
];

/** Job arguments, usually only the ID of a row. */
const What = ({ job: { name, payload } }: { job: Job }) => (
  <Group gap="xs" wrap="nowrap">
    <Text size="sm" fw={600}>
      {name}
    </Text>
    {Object.entries(payload).map(([key, value]) => (
      <Text key={key} size="xs" c="dimmed" truncate>
        {key} <Code fz="xs">{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
      </Text>
    ))}
  </Group>
);
