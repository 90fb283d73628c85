import { Badge, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconWaveSine } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { FlowLog } from '../../../api/telemetry/analytics.ts';
import { DetailDrawer, useOpenRow } from '../../../components/dialogs/detail-drawer.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { timeColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { ButtonLink, NameLink } from '../../../components/text/links.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';
import { useUrlState } from '../../../routing/url-state.ts';
import { CriteriaForm, useCriteria } from './search-criteria.tsx';
import { type NumberedLog, useLogFlow } from './use-log-flow.ts';

const types: Record<FlowLog['type'], string> = {
  event: 'Event',
  page: 'Page',
  start_session: 'Session start',
  start_service: 'Service start',
  error: 'Error',
  custom_properties: 'Custom properties',
  push_installation: 'Push registration',
  distribution_start_session: 'Tester session',
};

/** A device was offline for this long before it sent a log. */
const LATE = 24 * 60 * 60 * 1000;

export default function LogFlowPage() {
  const { appRef, params } = useCurrentApp();
  const navigate = useNavigate();
  const criteria = useCriteria();
  const flow = useLogFlow(appRef);
  const [type, setType] = useUrlState('type');
  const row = useOpenRow();
  const shown = flow.logs?.filter((log) => !type || log.type === type);
  const open = flow.logs?.find(({ key }) => key === row.key);
  return (
    <Page
      title="Log flow"
      description="Logs from devices as they arrive, newest first. Search to find earlier events."
      actions={
        <Button
          variant="default"
          leftSection={
            flow.isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
          }
          onClick={flow.toggle}
        >
          {flow.isPaused ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <Stack gap="md">
        <CriteriaForm criteria={criteria} onSearch={(found) => void navigate(pathTo('appLogSearch', params, found))} />
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="Type"
            size="xs"
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value)}
            data={[
              { value: '', label: 'All types' },
              ...Object.entries(types).map(([value, label]) => ({ value, label })),
            ]}
          />
          <Badge color={flow.isPaused ? 'gray' : 'harbor'} mb={6}>
            {flow.isPaused ? 'Paused' : 'Live'}
          </Badge>
          {flow.isMore && (
            <Text size="xs" c="dimmed" mb={6}>
              Some logs aren't shown because too many arrived in a short time.
            </Text>
          )}
        </Group>
        <DataTable
          id="log-flow"
          label="Log flow"
          search="Search logs"
          query={{ data: shown, error: flow.error, refetch: flow.refetch }}
          rowKey={({ key }) => key}
          empty={
            <EmptyState
              icon={<IconWaveSine size={32} aria-hidden />}
              action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up SDK</ButtonLink>}
            >
              No logs in the last minutes. Logs appear here a few seconds after a device sends them.
            </EmptyState>
          }
          columns={[
            {
              id: 'log',
              label: 'Log',
              text: getLogName,
              cell: (log) => <NameLink to={row.to(log.key)}>{getLogName(log)}</NameLink>,
            },
            { id: 'type', label: 'Type', width: 150, text: ({ type }) => types[type], cell: ({ type }) => types[type] },
            {
              id: 'version',
              label: 'Version',
              width: 110,
              mobileDisplay: 'label',
              text: ({ device }) => device.app_version,
              cell: ({ device }) => device.app_version,
            },
            {
              id: 'device',
              label: 'Device',
              width: 200,
              isSecondary: true,
              text: formatDevice,
              cell: formatDevice,
            },
            {
              id: 'properties',
              label: 'Properties',
              isSecondary: true,
              mobileDisplay: 'hidden',
              text: formatProperties,
              cell: (log) => formatProperties(log) || '—',
            },
            {
              ...timeColumn<NumberedLog>('logged', 'Logged', ({ timestamp }) => timestamp),
              cell: ({ timestamp }) => (
                <Group gap={6} wrap="nowrap">
                  <Time at={timestamp} />
                  {Date.now() - Date.parse(timestamp) > LATE && <Badge color="gray">Late</Badge>}
                </Group>
              ),
            },
          ]}
        />
      </Stack>
      <DetailDrawer title={open && getLogName(open)} isOpen={open !== undefined} onClose={row.close}>
        {open && (
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {JSON.stringify({ ...open, key: undefined }, undefined, 2)}
          </Code>
        )}
      </DetailDrawer>
    </Page>
  );
}

const getLogName = (log: NumberedLog): string => log.event_name ?? types[log.type];
const formatDevice = ({ device }: NumberedLog): string =>
  [device.model, `${device.os_name} ${device.os_version}`].filter(Boolean).join(', ');
const formatProperties = ({ properties = {} }: NumberedLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
