import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconFileOff } from '@tabler/icons-react';
import { useRef } from 'react';
import { type CrashReport, type Issue, useIssueReports } from '../../api/telemetry/crashes.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Section } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ReportView } from './report-view.tsx';
import { useShownReport } from './shown-report.ts';
import { VersionLink } from './version-link.tsx';

/** The stack trace of one report, steps to newer and older ones, and the list of all. */
export function IssueReports({ issue }: { issue: Issue }) {
  const { appRef, params } = useCurrentApp();
  const reports = useIssueReports(appRef, issue.id);
  const { report, place, show, newer, older } = useShownReport(reports);
  const stack = useRef<HTMLDivElement>(null);
  const open = (row: CrashReport) => {
    show(row);
    // The stack trace is above the list, so it moves into view and gets the focus.
    stack.current?.focus({ preventScroll: true });
    stack.current?.scrollIntoView({ block: 'start' });
  };
  const columns: Column<CrashReport>[] = [
    timeColumn('time', 'Time', ({ timestamp }) => timestamp),
    {
      id: 'version',
      label: 'Version',
      width: 140,
      mobileDisplay: 'label',
      cell: ({ appVersion, appBuild }) => appVersion && <VersionLink version={appVersion} build={appBuild} />,
    },
    { id: 'device', label: 'Device', cell: ({ deviceName = '' }) => deviceName },
    { id: 'os', label: 'OS', cell: ({ osType, osVersion }) => [osType, osVersion].filter(Boolean).join(' ') },
    {
      id: 'user',
      label: 'User',
      isSecondary: true,
      cell: ({ userId }) =>
        userId ? (
          <TextLink size="sm" to={pathTo('appLogSearch', params, { user_id: userId })}>
            {userId}
          </TextLink>
        ) : (
          '—'
        ),
    },
    {
      id: 'actions',
      label: 'Actions',
      width: 90,
      isActions: true,
      cell: (row) =>
        row.errorId === report?.errorId ? (
          <Text size="xs" c="dimmed">
            Shown
          </Text>
        ) : (
          <RowButton label={`Show report of ${row.timestamp}`} onClick={() => open(row)}>
            Show
          </RowButton>
        ),
    },
  ];
  return (
    <>
      <div ref={stack} tabIndex={-1} style={{ scrollMarginTop: 72, outline: 'none' }}>
        <Section
          title="Stack trace"
          actions={
            <Group gap="xs">
              <Text size="sm" c="dimmed" role="status">
                {place === undefined ? '' : `Report ${place.toLocaleString()} of ${issue.count.toLocaleString()}`}
              </Text>
              <Button
                size="xs"
                variant="default"
                disabled={!newer}
                leftSection={<IconChevronLeft size={14} aria-hidden />}
                onClick={() => show(newer)}
              >
                Newer
              </Button>
              <Button
                size="xs"
                variant="default"
                disabled={!older}
                rightSection={<IconChevronRight size={14} aria-hidden />}
                onClick={() => show(older)}
              >
                Older
              </Button>
            </Group>
          }
        >
          {reports.data?.length === 0 && !report ? (
            <EmptyState icon={<IconFileOff size={32} aria-hidden />}>
              All reports of this issue have expired. Counts are still available.
            </EmptyState>
          ) : (
            <ReportView report={report} />
          )}
        </Section>
      </div>
      <Section title="Reports">
        <DataTable
          id="crashes-issue"
          label="Reports"
          name="reports"
          query={reports}
          columns={columns}
          rowKey={({ errorId }) => errorId}
          empty={<EmptyState icon={<IconFileOff size={32} aria-hidden />}>All reports have expired.</EmptyState>}
        />
      </Section>
    </>
  );
}
