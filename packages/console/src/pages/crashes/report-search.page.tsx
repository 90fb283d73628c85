import { IconReportSearch } from '@tabler/icons-react';
import { type ReportMatch, useReportSearch, useReportValues } from '../../api/telemetry/crashes.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink, NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { fields, reportFilter } from './report-filter.ts';
import { ReportView } from './report-view.tsx';

const kinds = [
  { value: 'unhandledError', label: 'Crashes' },
  { value: 'handledError', label: 'Handled errors' },
];
const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

const formatTitle = ({ exceptionType, exceptionMessage }: ReportMatch): string =>
  [exceptionType, exceptionMessage].filter(Boolean).join(': ') || 'Not grouped yet';

/** Finds single reports by text, ID, user, device or property. */
export default function ReportSearchPage() {
  const { appRef, params } = useCurrentApp();
  const row = useOpenRow();
  const { data: knownValues } = useReportValues(appRef);
  const offered = (values: { value: string; count: number }[] = []) =>
    values.map(({ value }) => ({ value, label: value }));
  const text = (name: keyof typeof fields, choices = offered()) => ({
    name,
    label: fields[name].label,
    kind: 'text' as const,
    choices,
  });
  const { values, bar } = useFilters([
    text('type', offered(knownValues?.exceptionType)),
    text('version', offered(knownValues?.appVersion)),
    text('model', offered(knownValues?.deviceName)),
    text('os', offered(knownValues?.osVersion)),
    text('country', offered(knownValues?.country)),
    text('user'),
    text('installation'),
    {
      name: 'property',
      label: 'Property',
      kind: 'text',
      choices: (knownValues?.property ?? []).map(({ name, value }) => ({
        value: `${name}=${value}`,
        label: `${name}=${value}`,
      })),
    },
    { name: 'kind', label: fields.kind.label, kind: 'choice', choices: kinds },
    { name: 'readable', label: 'Symbolicated', kind: 'choice', choices: yesOrNo },
  ]);
  const { search } = useListQuery([]);
  const filter = reportFilter(values);
  const reports = useReportSearch(appRef, { ...(search ? { q: search } : {}), ...(filter ? { filter } : {}) });
  const open = reports.data?.find(({ errorId }) => errorId === row.key);
  const columns: Column<ReportMatch>[] = [
    {
      id: 'report',
      label: 'Report',
      text: formatTitle,
      cell: (report) => <NameLink to={row.to(report.errorId)}>{formatTitle(report)}</NameLink>,
    },
    {
      id: 'version',
      label: 'Version',
      width: 130,
      mobileDisplay: 'label',
      text: ({ appVersion = '' }) => appVersion,
      cell: ({ appVersion = '', appBuild = '' }) => `${appVersion} (${appBuild})`,
    },
    {
      id: 'device',
      label: 'Device',
      width: 200,
      isSecondary: true,
      text: ({ deviceName = '' }) => deviceName,
      cell: ({ deviceName, osType, osVersion }) => [deviceName, osType, osVersion].filter(Boolean).join(' '),
    },
    {
      id: 'user',
      label: 'User',
      width: 140,
      isSecondary: true,
      text: ({ userId = '' }) => userId,
      cell: ({ userId = '—' }) => userId,
    },
    timeColumn('time', 'Time', ({ timestamp }) => timestamp),
  ];
  return (
    <Page title="Reports" description="Individual crash and error reports, newest first.">
      <DataTable
        id="crashes-report-search"
        label="Reports"
        query={reports}
        columns={columns}
        rowKey={({ errorId }) => errorId}
        search="Search by text, report ID, user ID or install ID"
        filters={bar}
        isServers
        empty={
          <EmptyState icon={<IconReportSearch size={32} aria-hidden />}>
            No reports found. Reports may have expired.
          </EmptyState>
        }
      />
      <DetailDrawer title={open && formatTitle(open)} isOpen={open !== undefined} onClose={row.close}>
        {open?.issueId && (
          <ButtonLink variant="default" size="xs" mb="sm" to={pathTo('appCrash', { ...params, issue: open.issueId })}>
            Open issue
          </ButtonLink>
        )}
        {open && <ReportView report={open} />}
      </DetailDrawer>
    </Page>
  );
}
