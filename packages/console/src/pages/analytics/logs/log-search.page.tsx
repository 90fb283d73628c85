import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { analytics_deleteInstall, analytics_listDeletions } from '@mooring/contract';
import { IconListSearch, IconTrash, IconWaveSine } from '@tabler/icons-react';
import { useState } from 'react';
import { type DataSubject, useDeleteDataSubject } from '../../../api/telemetry/analytics.ts';
import { type LogMatch, useLogSearch } from '../../../api/telemetry/explore.ts';
import { DetailDrawer, useOpenRow } from '../../../components/dialogs/detail-drawer.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { timeColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { ButtonLink, NameLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { useUrlChange } from '../../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';
import { Deletions } from '../deletions.tsx';
import { mapQuery } from '../query-data.ts';
import { CriteriaForm, fields, names, useCriteria } from './search-criteria.tsx';

const DAY = 86_400_000;
const MAX_LOGS = 200;

/** Finds single logs, and deletes the data of an install or user. */
export default function LogSearchPage() {
  const { appRef, params, can } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const criteria = useCriteria();
  const change = useUrlChange();
  const row = useOpenRow();
  // A value needs a property.
  const usedFields = names.filter((name) => criteria[name] && (name !== 'value' || criteria.property));
  const query = useLogSearch(appRef, {
    ...filter,
    // The last day is included.
    end: new Date(Date.parse(filter.end ?? filter.start) + DAY - 1).toISOString(),
    $top: MAX_LOGS,
    ...Object.fromEntries(usedFields.map((name) => [name, criteria[name].slice(0, fields[name].length)])),
  });
  const logs = mapQuery(query, (page) => page.logs.map((log, at) => ({ ...log, key: String(at) })));
  const open = logs.data?.find(({ key }) => key === row.key);
  const deletion = useDeleteDataSubject(appRef);
  const [deleted, setDeleted] = useState<DataSubject>();
  const deleting = useConfirm<DataSubject>({
    title: ({ kind, id }) => `Delete data of ${subjectLabels[kind]} ${id}?`,
    action: 'Delete data',
    consequence: () =>
      'Deletes all sessions, events and crash reports received so far. Charts no longer count them, and files are rewritten within minutes. Data that arrives later is counted again. This cannot be undone.',
    openDialog: {
      ...deletion,
      mutate: (subject, options) =>
        deletion.mutate(subject, {
          onSuccess: () => {
            options.onSuccess();
            setDeleted(subject);
          },
        }),
    },
  });
  const subjects: DataSubject[] = [
    ...(criteria.install_id ? [{ kind: 'install' as const, id: criteria.install_id }] : []),
    ...(criteria.user_id ? [{ kind: 'user' as const, id: criteria.user_id }] : []),
  ];
  return (
    <Page
      title="Log flow"
      description="Events and pages with their properties, newest first. Search for an install or a user to delete their data."
      actions={
        <Group gap="xs">
          {can(analytics_deleteInstall) &&
            subjects.map((subject) => (
              <Button
                key={subject.kind}
                variant="default"
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => deleting.open(subject)}
              >
                Delete {subjectLabels[subject.kind]} data
              </Button>
            ))}
          <ButtonLink
            to={pathTo('appLogFlow', params)}
            variant="default"
            leftSection={<IconWaveSine size={16} aria-hidden />}
          >
            Show live logs
          </ButtonLink>
        </Group>
      }
    >
      <Stack gap="md">
        {deleted && (
          <Alert role="status" withCloseButton closeButtonLabel="Close" onClose={() => setDeleted(undefined)}>
            Deleted all data of {subjectLabels[deleted.kind]} {deleted.id} received so far. Files are being rewritten.
          </Alert>
        )}
        {can(analytics_listDeletions) && <Deletions />}
        <AnalyticsBar canCompare={false} />
        <CriteriaForm key={JSON.stringify(criteria)} criteria={criteria} onSearch={change} />
        <DataTable
          id="log-search"
          label="Logs"
          search="Filter results"
          query={logs}
          rowKey={({ key }) => key}
          empty={
            <EmptyState icon={<IconListSearch size={32} aria-hidden />}>
              No matching events or pages in this period. Logs appear here a few seconds after a device sends them.
            </EmptyState>
          }
          columns={[
            {
              id: 'log',
              label: 'Log',
              text: getLogName,
              cell: (log) => <NameLink to={row.to(log.key)}>{getLogName(log)}</NameLink>,
            },
            {
              id: 'version',
              label: 'Version',
              width: 110,
              mobileDisplay: 'label',
              text: ({ device }) => device.app_version,
              cell: ({ device }) => device.app_version,
            },
            { id: 'device', label: 'Device', width: 200, isSecondary: true, text: formatDevice, cell: formatDevice },
            {
              id: 'properties',
              label: 'Properties',
              isSecondary: true,
              mobileDisplay: 'hidden',
              text: formatProperties,
              cell: (log) => formatProperties(log) || '—',
            },
            timeColumn<NumberedLog>('logged', 'Logged', ({ timestamp }) => timestamp),
          ]}
        />
        {query.data?.has_more && (
          <Alert>More than {MAX_LOGS} logs match. Shorten the period or add criteria to see the others.</Alert>
        )}
      </Stack>
      <DetailDrawer title={open && getLogName(open)} isOpen={open !== undefined} onClose={row.close}>
        {open && (
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {JSON.stringify({ ...open, key: undefined }, undefined, 2)}
          </Code>
        )}
      </DetailDrawer>
      {deleting.dialog}
    </Page>
  );
}

type NumberedLog = LogMatch & { key: string };
const subjectLabels = { install: 'install', user: 'user' } as const;
const getLogName = ({ name, type }: LogMatch): string => name || type;
const formatDevice = ({ device }: LogMatch): string => [device.model, device.os].filter(Boolean).join(', ');
const formatProperties = ({ properties = {} }: LogMatch): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
