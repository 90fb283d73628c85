import { IconReportSearch } from '@tabler/icons-react';
import { type FoundReport, useFoundReports, useReportValues } from '../../api/crashes.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
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

const titleOf = ({ exceptionType, exceptionMessage }: FoundReport): string =>
  [exceptionType, exceptionMessage].filter(Boolean).join(': ') || 'Not grouped yet';

/** Single reports, by whatever is known of one: a word, an id, a user, a device, a property. */
export default function ReportSearchPage() {
  const { appRef, params } = useAppHere();
  const row = useOpenRow();
  const { data: known } = useReportValues(appRef);
  const offered = (values: { value: string; count: number }[] = []) =>
    values.map(({ value }) => ({ value, label: value }));
  const text = (name: keyof typeof fields, choices = offered()) => ({
    name,
    label: fields[name].label,
    kind: 'text' as const,
    choices,
  });
  const { values, bar } = useFilters([
    text('type', offered(known?.exceptionType)),
    text('version', offered(known?.appVersion)),
    text('model', offered(known?.deviceName)),
    text('os', offered(known?.osVersion)),
    text('country', offered(known?.country)),
    text('user'),
    text('installation'),
    {
      name: 'property',
      label: 'Property',
      kind: 'text',
      choices: (known?.property ?? []).map(({ name, value }) => ({
        value: `${name}=${value}`,
        label: `${name}=${value}`,
      })),
    },
    { name: 'kind', label: fields.kind.label, kind: 'choice', choices: kinds },
    { name: 'readable', label: 'Readable stack', kind: 'choice', choices: yesOrNo },
  ]);
  const { search } = useListQuery([]);
  const filter = reportFilter(values);
  const reports = useFoundReports(appRef, { ...(search ? { q: search } : {}), ...(filter ? { filter } : {}) });
  const open = reports.data?.find(({ errorId }) => errorId === row.key);
  const columns: Column<FoundReport>[] = [
    {
      label: 'Report',
      text: titleOf,
      cell: (report) => <NameLink to={row.to(report.errorId)}>{titleOf(report)}</NameLink>,
    },
    {
      label: 'Version',
      width: 130,
      onPhone: 'label',
      text: ({ appVersion = '' }) => appVersion,
      cell: ({ appVersion = '', appBuild = '' }) => `${appVersion} (${appBuild})`,
    },
    {
      label: 'Device',
      width: 200,
      isSecondary: true,
      text: ({ deviceName = '' }) => deviceName,
      cell: ({ deviceName, osType, osVersion }) => [deviceName, osType, osVersion].filter(Boolean).join(' '),
    },
    {
      label: 'User',
      width: 140,
      isSecondary: true,
      text: ({ userId = '' }) => userId,
      cell: ({ userId = '—' }) => userId,
    },
    timeColumn('Time', ({ timestamp }) => timestamp),
  ];
  return (
    <Page title="Reports" lead="Single reports of crashes and handled errors, the newest first.">
      <DataTable
        label="Reports"
        reading={reports}
        columns={columns}
        keyOf={({ errorId }) => errorId}
        search="Words, or the id of a report, a user or an installation"
        filters={bar}
        isServers
        empty={
          <Empty icon={<IconReportSearch size={32} aria-hidden />}>
            There are no reports: nothing broke, or those that came are kept no longer.
          </Empty>
        }
      />
      <DetailDrawer title={open && titleOf(open)} isOpen={open !== undefined} onClose={row.close}>
        {open?.issueId && (
          <ButtonLink variant="default" size="xs" mb="sm" to={pathTo('appCrash', { ...params, issue: open.issueId })}>
            Open the issue
          </ButtonLink>
        )}
        {open && <ReportView report={open} />}
      </DetailDrawer>
    </Page>
  );
}
