import { Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { jobStates } from '@mooring/contract';
import { IconStack2 } from '@tabler/icons-react';
import { type Job, type JobState, useDeleteJob, useJobs, useReplayJob, useServer } from '../../api/administration.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/url-state.ts';

const words: Record<JobState, { label: string; empty: string; when: string }> = {
  dead: { label: 'Dead letters', empty: 'No job has failed for good.', when: 'Given up' },
  waiting: { label: 'Waiting', empty: 'No job waits.', when: 'Due' },
  running: { label: 'Running', empty: 'No job runs at the moment.', when: 'Lease until' },
};

const isState = (text: string): text is JobState => text in words;

export default function JobsPage() {
  const [asked, setState] = useUrlState('state');
  const counts = useServer().data?.jobs;
  const state = isState(asked) ? asked : 'dead';
  return (
    <Page
      title="Jobs"
      lead="What the server does after it has answered: mails, webhooks, clearing up. A job that failed as often as it may becomes a dead letter, and waits for you."
    >
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
  const jobs = useJobs(state);
  const replay = useQuestion<Job>({
    title: ({ name }) => `Replay ${name}?`,
    action: 'Replay',
    isDangerous: false,
    loss: () => 'It gets all its attempts again, from now on. What it did before it failed may happen a second time.',
    doing: useReplayJob(),
  });
  const deletion = useQuestion<Job>({
    title: ({ name }) => `Throw ${name} away?`,
    action: 'Throw away',
    loss: () => 'What it was for is not done, and it cannot be brought back.',
    doing: useDeleteJob(),
  });
  const actions = (job: Job) => (
    <Group gap={6} wrap="nowrap">
      <RowButton onClick={() => replay.ask(job)} label={`Replay ${job.name}`}>
        Replay
      </RowButton>
      <RowButton onClick={() => deletion.ask(job)} label={`Throw away ${job.name}`}>
        Throw away
      </RowButton>
    </Group>
  );
  const columns = state === 'dead' ? [...columnsOf(state), actionsColumn(actions)] : columnsOf(state);
  return (
    <>
      <Loaded reading={jobs}>
        {(rows) =>
          rows.length > 0 ? (
            <Stack>
              <DataTable label={words[state].label} columns={columns} rows={rows} keyOf={({ id }) => id} />
              <LoadMore pages={jobs} />
            </Stack>
          ) : (
            <Empty icon={<IconStack2 size={32} aria-hidden />}>{words[state].empty}</Empty>
          )
        }
      </Loaded>
      {replay.dialog}
      {deletion.dialog}
    </>
  );
}

const columnsOf = (state: JobState): Column<Job>[] => [
  { label: 'Job', cell: (job) => <What job={job} /> },
  { label: 'Attempts', isWhole: true, cell: ({ attempts }) => attempts.toLocaleString() },
  { label: 'Last error', cell: ({ last_error }) => last_error ?? '—' },
  { label: 'Created', isWhole: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    label: words[state].when,
    isWhole: true,
    cell: ({ due_at, failed_at }) => <When at={state === 'dead' ? failed_at : due_at} />,
  },
];

const actionsColumn = (cell: Column<Job>['cell']): Column<Job> => ({
  label: 'Actions',
  header: '',
  isTight: true,
  isWide: true,
  cell,
});

const When = ({ at }: { at: string | undefined }) => (at ? <Time at={at} /> : '—');

/** What the job was told; most are told no more than which row it is about. */
const What = ({ job: { name, payload } }: { job: Job }) => (
  <div>
    <Text size="sm" fw={600}>
      {name}
    </Text>
    {Object.entries(payload).map(([key, value]) => (
      <Text key={key} size="xs" c="dimmed">
        {key} <Code fz="xs">{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
      </Text>
    ))}
  </div>
);
