import { Button, Group, Paper, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { crashIssues_update } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { type Issue, useChangeIssue, useIssue, useReprocess } from '../../api/telemetry/crashes.ts';
import { BarList } from '../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { Page, Section } from '../../components/layout/page.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { LazyStory } from '../releases/story/lazy-story.tsx';
import { formatLocation, StateBadge } from './issue-labels.tsx';
import { IssueReports } from './issue-reports.tsx';
import { MergeButton } from './merge-dialog.tsx';
import { SplitButton } from './split-dialog.tsx';
import { TicketLine } from './ticket-line.tsx';
import { VersionLink } from './version-link.tsx';

const CHART = 200;
/** Initial lines of the note, which grows. */
const BARS = 120;

export default function IssuePage() {
  const { issue: id = '' } = useParams();
  const { appRef } = useCurrentApp();
  const query = useIssue(appRef, id);
  return (
    <QueryBoundary query={query} isPage>
      {(issue) => <IssueView issue={issue} />}
    </QueryBoundary>
  );
}

function IssueView({ issue }: { issue: Issue }) {
  const { appRef, can } = useCurrentApp();
  const change = useChangeIssue(appRef, issue.id);
  const reprocess = useReprocess(appRef, { issue_id: issue.id });
  const canChange = can(crashIssues_update);
  // The newest version with this issue.
  const newest = issue.groups.find(({ build }) => build !== '');
  const states = (['open', 'closed', 'ignored'] as const).filter((state) => state !== issue.state);
  const labels = { open: 'Reopen', closed: 'Close', ignored: 'Ignore' };
  return (
    <Page
      title={issue.exception_type || 'Unknown'}
      description={[formatLocation(issue), issue.message].filter(Boolean).join(' — ')}
      actions={
        canChange && (
          <Group gap="xs">
            {states.map((state) => (
              <Button key={state} variant="default" loading={change.isPending} onClick={() => change.mutate({ state })}>
                {labels[state]}
              </Button>
            ))}
            <Button variant="default" loading={reprocess.isPending} onClick={() => reprocess.mutate(undefined)}>
              {reprocess.isSuccess ? 'Re-symbolicating…' : 'Re-symbolicate'}
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
        <IssueReports issue={issue} />
        {newest && <LazyStory query={{ version: newest.app_version, build_number: newest.build }} place="issue" />}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          <ChartFrame
            title="Reports by day"
            query={{ data: issue, error: null, refetch: () => undefined }}
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
            dimension="Version"
            values={issue.groups.map(({ app_version, build, count }) => ({
              value: `${app_version} (${build})`,
              label: <VersionLink version={app_version} build={build} />,
              count,
            }))}
          />
          <Bars title="Models" dimension="Model" values={issue.models} />
          <Bars title="Operating systems" dimension="Operating system" values={issue.systems} />
          <Bars title="Countries" dimension="Country" values={issue.countries} />
          <Bars title="Languages" dimension="Language" values={issue.languages} />
        </SimpleGrid>
        {canChange && <Note key={issue.id} issue={issue} onSave={(annotation) => change.mutate({ annotation })} />}
      </Stack>
    </Page>
  );
}

const IssueFields = ({ issue }: { issue: Issue }) => (
  <Paper withBorder p="md">
    <Group gap="xl">
      <StateBadge issue={issue} />
      <Text size="sm" fw={600} title="Number of this issue, for conversations">
        #{issue.number}
      </Text>
      <Text size="sm">{formatCount(issue.count, 'report')}</Text>
      <Text size="sm">{formatCount(issue.device_count, 'device')}</Text>
      <Text size="sm">
        First seen in <VersionLink version={issue.first_version} />, <Time at={issue.first_at} />
      </Text>
      <Text size="sm">
        Last seen in <VersionLink version={issue.last_version} />, <Time at={issue.last_at} />
      </Text>
      {issue.regressed_version !== undefined && (
        <Text size="sm" c="orange">
          Regressed in <VersionLink version={issue.regressed_version} />
        </Text>
      )}
      {issue.annotation && <Text size="sm">Note: {issue.annotation}</Text>}
    </Group>
  </Paper>
);

function Bars({
  title,
  dimension,
  values,
}: {
  title: string;
  dimension: string;
  values: { value: string; label?: ReactNode; count: number }[];
}) {
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const bars = values.map(({ value, label, count }) => ({ name: value, label, count }));
  return (
    <ChartFrame
      title={title}
      query={{ data: bars, error: null, refetch: () => undefined }}
      height={BARS}
      isTable
      table={(shown) => ({ head: [dimension, 'Reports'], rows: shown.map(({ name, count }) => [name, count]) })}
    >
      {(shown) => <BarList dimension={dimension} measure="Reports" bars={shown} total={total} />}
    </ChartFrame>
  );
}

const NOTE_MAX = getBodyRules(crashIssues_update)('annotation').maxLength;

function Note({ issue, onSave }: { issue: Issue; onSave: (text: string) => void }) {
  const [text, setText] = useState(issue.annotation);
  return (
    <Section title="Note">
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
    </Section>
  );
}
