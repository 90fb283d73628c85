import { Alert, Button, Code, Group, Stack, TextInput } from '@mantine/core';
import { analytics_deleteInstall, analytics_listDeletions } from '@mooring/contract';
import { IconListSearch, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type DataSubject, useDeleteDataSubject } from '../../../api/telemetry/analytics.ts';
import { type LogMatch, useLogSearch } from '../../../api/telemetry/explore.ts';
import { DetailDrawer, useOpenRow } from '../../../components/dialogs/detail-drawer.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { timeColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { NameLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { useUrlChange, useUrlState } from '../../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from '../analytics-bar.tsx';
import { Deletions } from '../deletions.tsx';
import { mapQuery } from '../query-data.ts';

const DAY = 86_400_000;
const MAX_LOGS = 200;

/** Search criteria, by their name in the URL and the API. */
const fields = {
  event: { label: 'Event or page', length: 256 },
  install_id: { label: 'Install ID', length: 128 },
  user_id: { label: 'User ID', length: 256 },
  session_id: { label: 'Session ID', length: 64 },
  property: { label: 'Property', length: 256 },
  value: { label: 'Value', length: 256 },
} as const;
type Field = keyof typeof fields;
const names = Object.keys(fields) as Field[];

/** Criteria from the URL. */
function useCriteria(): Record<Field, string> {
  const [event] = useUrlState('event');
  const [install_id] = useUrlState('install_id');
  const [user_id] = useUrlState('user_id');
  const [session_id] = useUrlState('session_id');
  const [property] = useUrlState('property');
  const [value] = useUrlState('value');
  return { event, install_id, user_id, session_id, property, value };
}

/** Finds single logs, and deletes the data of an install or user. */
export default function LogSearchPage() {
  const { appRef, can } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const criteria = useCriteria();
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
      title="Search logs"
      description="Events and pages with their properties, newest first. Search for an install or a user to delete their data."
      actions={
        can(analytics_deleteInstall) &&
        subjects.length > 0 && (
          <Group gap="xs">
            {subjects.map((subject) => (
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
          </Group>
        )
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
        <CriteriaForm key={JSON.stringify(criteria)} criteria={criteria} />
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

/** Searching is expensive, so it starts on submit rather than while typing. */
function CriteriaForm({ criteria }: { criteria: Record<Field, string> }) {
  const change = useUrlChange();
  const [typed, setTyped] = useState(criteria);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(Object.fromEntries(names.map((name) => [name, typed[name].trim() || undefined])));
  };
  return (
    <Group component="form" gap="sm" align="flex-end" onSubmit={submit} aria-label="Search criteria" role="search">
      {names.map((name) => (
        <TextInput
          key={name}
          label={fields[name].label}
          size="xs"
          flex="1 1 7rem"
          maxLength={fields[name].length}
          disabled={name === 'value' && !typed.property}
          value={typed[name]}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
      <Button type="submit" size="xs">
        Search
      </Button>
    </Group>
  );
}
