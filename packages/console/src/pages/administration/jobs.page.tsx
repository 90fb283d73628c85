import { Code, Group, Tabs, Text } from '@mantine/core';
import { jobStates } from '@mooring/contract';
import { IconStack2 } from '@tabler/icons-react';
import { type Job, type JobState, useDeleteJob, useJobs, useReplayJob, useServer } from '../../api/administration.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { useUrlState } from '../../parts/url-state.ts';

const words: Record<JobState, { label: string; empty: string; when: string }> = {
  dead: { label: 'Failed', empty: 'No job has failed for good.', when: 'Failed' },
  waiting: { label: 'Queued', empty: 'No job is queued.', when: 'Due' },
  running: { label: 'Running', empty: 'No job is running.', when: 'Lease until' },
};

const isState = (text: string): text is JobState => text in words;

export default function JobsPage() {
  const [asked, setState] = useUrlState('state');
  const counts = useServer().data?.jobs;
  const state = isState(asked) ? asked : 'dead';
  return (
    <Page title="Jobs" lead="What the server does in the background: mails, webhooks, clearing up.">
      <Tabs value={state} onChange={(chosen) => setState(chosen ?? '')} keepMounted={false}>
        <Tabs.List>
          {jobStates.map((each) => (
            <Tabs.Tab key={each} value={each} px="xs">
              {words[each].label}
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
  const replay = useQuestion<Job>({
    title: ({ name }) => `Replay ${name}?`,
    action: 'Replay',
    isDangerous: false,
    loss: () => 'It gets all its attempts again, from now on. What it did before it failed may happen a second time.',
    doing: useReplayJob(),
  });
  const deletion = useQuestion<Job>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: () => 'What it was for is not done, and it cannot be brought back.',
    doing: useDeleteJob(),
  });
  const actions = (job: Job) => (
    <>
      <RowButton onClick={() => replay.ask(job)} label={`Replay ${job.name}`}>
        Replay
      </RowButton>
      <RowButton onClick={() => deletion.ask(job)} label={`Delete ${job.name}`}>
        Delete
      </RowButton>
    </>
  );
  const columns = state === 'dead' ? [...columnsOf(state), actionsColumn(160, actions)] : columnsOf(state);
  return (
    <>
      <DataTable
        label={`${words[state].label} jobs`}
        reading={jobs}
        columns={columns}
        keyOf={({ id }) => id}
        search="Search jobs"
        isServers
        empty={<Empty icon={<IconStack2 size={32} aria-hidden />}>{words[state].empty}</Empty>}
      />
      {replay.dialog}
      {deletion.dialog}
    </>
  );
}

const columnsOf = (state: JobState): Column<Job>[] => [
  { label: 'Job', sort: 'name', cell: (job) => <What job={job} />, text: ({ name }) => name },
  {
    label: 'Attempts',
    width: 90,
    text: ({ attempts }) => attempts,
    cell: ({ attempts }) => attempts.toLocaleString(),
    onPhone: 'label',
  },
  { label: 'Last error', text: ({ last_error }) => last_error, cell: ({ last_error }) => last_error ?? '—' },
  timeColumn('Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  timeColumn(words[state].when, ({ due_at, failed_at }) => (state === 'dead' ? failed_at : due_at)),
];

/** What the job was told; most are told no more than which row it is about. */
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
