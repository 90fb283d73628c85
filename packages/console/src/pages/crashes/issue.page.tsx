import { Button, Group, Paper, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { crashIssues_update } from '@mooring/contract';
import { IconFileOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  type CrashReport,
  type Issue,
  useChangeIssue,
  useIssue,
  useIssueReports,
  useReprocess,
} from '../../api/crashes.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import { inFull } from '../../parts/charts/numbers.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { placeOf, StateBadge } from './issue-words.tsx';
import { MergeButton } from './merge-dialog.tsx';
import { ReportView } from './report-view.tsx';
import { SplitButton } from './split-dialog.tsx';
import { TicketLine } from './ticket-line.tsx';

const CHART = 200;
/** A few lines; more of them make it higher. */
const BARS = 120;

export default function IssuePage() {
  const { issue: id = '' } = useParams();
  const { appRef } = useAppHere();
  const reading = useIssue(appRef, id);
  return (
    <Loaded reading={reading} isPage>
      {(issue) => <IssueView issue={issue} />}
    </Loaded>
  );
}

function IssueView({ issue }: { issue: Issue }) {
  const { appRef, may } = useAppHere();
  const change = useChangeIssue(appRef, issue.id);
  const reprocess = useReprocess(appRef, { issue_id: issue.id });
  const mayChange = may(crashIssues_update);
  const states = (['open', 'closed', 'ignored'] as const).filter((state) => state !== issue.state);
  const labels = { open: 'Open', closed: 'Close', ignored: 'Ignore' };
  return (
    <Page
      title={issue.exception_type || 'Unknown'}
      lead={[placeOf(issue), issue.message].filter(Boolean).join(' — ')}
      actions={
        mayChange && (
          <Group gap="xs">
            {states.map((state) => (
              <Button key={state} variant="default" loading={change.isPending} onClick={() => change.mutate({ state })}>
                {labels[state]}
              </Button>
            ))}
            <Button variant="default" loading={reprocess.isPending} onClick={() => reprocess.mutate(undefined)}>
              {reprocess.isSuccess ? 'Being processed again' : 'Process again'}
            </Button>
            <MergeButton issue={issue} />
            {issue.parts.length > 1 && <SplitButton issue={issue} />}
          </Group>
        )
      }
    >
      <Stack gap="md">
        <IssueFields issue={issue} />
        <TicketLine issue={issue} />
        <Reports issue={issue} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          <ChartFrame
            title="Reports by day"
            reading={{ data: issue, error: null, refetch: () => undefined }}
            height={CHART}
            table={({ days }) => ({
              head: ['Day', 'Reports'],
              rows: days.map(({ datetime, count }) => [datetime.slice(0, 10), count]),
            })}
          >
            {({ days }) => (
              <LineChart
                label="Reports"
                height={CHART}
                times={days.map(({ datetime }) => datetime)}
                series={[{ name: 'Reports', values: days.map(({ count }) => count) }]}
              />
            )}
          </ChartFrame>
          <Bars
            title="Versions"
            of="Version"
            values={issue.groups.map(({ app_version, build, count }) => ({
              value: `${app_version} (${build})`,
              count,
            }))}
          />
          <Bars title="Models" of="Model" values={issue.models} />
          <Bars title="Operating systems" of="Operating system" values={issue.systems} />
          <Bars title="Countries" of="Country" values={issue.countries} />
          <Bars title="Languages" of="Language" values={issue.languages} />
        </SimpleGrid>
        {mayChange && <Note key={issue.id} issue={issue} onSave={(annotation) => change.mutate({ annotation })} />}
      </Stack>
    </Page>
  );
}

const counted = (count: number, of: string): string => `${inFull(count)} ${of}${count === 1 ? '' : 's'}`;

const IssueFields = ({ issue }: { issue: Issue }) => (
  <Paper withBorder p="md">
    <Group gap="xl">
      <StateBadge issue={issue} />
      <Text size="sm">{counted(issue.count, 'report')}</Text>
      <Text size="sm">{counted(issue.device_count, 'device')}</Text>
      <Text size="sm">
        First in {issue.first_version}, <Time at={issue.first_at} />
      </Text>
      <Text size="sm">
        Last in {issue.last_version}, <Time at={issue.last_at} />
      </Text>
      {issue.regressed_version !== undefined && (
        <Text size="sm" c="orange">
          Came back in {issue.regressed_version}
        </Text>
      )}
      {issue.annotation && <Text size="sm">Note: {issue.annotation}</Text>}
    </Group>
  </Paper>
);

function Bars({ title, of, values }: { title: string; of: string; values: { value: string; count: number }[] }) {
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const bars = values.map(({ value, count }) => ({ name: value, count }));
  return (
    <ChartFrame
      title={title}
      reading={{ data: bars, error: null, refetch: () => undefined }}
      height={BARS}
      isTable
      table={(shown) => ({ head: [of, 'Reports'], rows: shown.map(({ name, count }) => [name, count]) })}
    >
      {(shown) => <BarList of={of} what="Reports" bars={shown} total={total} />}
    </ChartFrame>
  );
}

const NOTE_MAX = fieldsOf(crashIssues_update)('annotation').maxLength;

function Note({ issue, onSave }: { issue: Issue; onSave: (text: string) => void }) {
  const [text, setText] = useState(issue.annotation);
  return (
    <Part title="Note">
      <Textarea
        aria-label="Note"
        autosize
        minRows={2}
        maxLength={NOTE_MAX}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button w="fit-content" variant="default" disabled={text === issue.annotation} onClick={() => onSave(text)}>
        Save note
      </Button>
    </Part>
  );
}

/** Reports, and the stack of the one that is looked at: the newest at first. */
function Reports({ issue }: { issue: Issue }) {
  const { appRef } = useAppHere();
  const reports = useIssueReports(appRef, issue.id);
  const [chosen, setChosen] = useState<CrashReport>();
  const shown = chosen ?? reports.data?.[0];
  const columns: Column<CrashReport>[] = [
    timeColumn('Time', ({ timestamp }) => timestamp),
    {
      label: 'Version',
      width: 140,
      onPhone: 'label',
      cell: ({ appVersion, appBuild }) => `${appVersion ?? ''} (${appBuild ?? ''})`,
    },
    { label: 'Device', cell: ({ deviceName = '' }) => deviceName },
    { label: 'OS', cell: ({ osType, osVersion }) => [osType, osVersion].filter(Boolean).join(' ') },
    { label: 'User', isSecondary: true, cell: ({ userId = '—' }) => userId },
    {
      label: 'Actions',
      width: 90,
      isActions: true,
      cell: (row) => (
        <RowButton label={`Show the report of ${row.timestamp}`} onClick={() => setChosen(row)}>
          Show
        </RowButton>
      ),
    },
  ];
  return (
    <>
      <Part
        title="Stack"
        lead={
          shown && (
            <>
              Of the report of <Time at={shown.timestamp} />
            </>
          )
        }
      >
        {reports.data?.length === 0 ? (
          <Empty icon={<IconFileOff size={32} aria-hidden />}>
            Its reports are kept no longer; only the counts are.
          </Empty>
        ) : (
          <ReportView report={shown} />
        )}
      </Part>
      <Part title="Reports">
        <DataTable
          label="Reports"
          name="reports"
          reading={reports}
          columns={columns}
          keyOf={({ errorId }) => errorId}
          empty={<Empty icon={<IconFileOff size={32} aria-hidden />}>Its reports are kept no longer.</Empty>}
        />
      </Part>
    </>
  );
}
