import { Badge, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSearch, IconWaveSine } from '@tabler/icons-react';
import type { FlowLog } from '../../api/analytics.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { pathTo } from '../../paths.ts';
import { type NumberedLog, useLogFlow } from './use-log-flow.ts';

const types: Record<FlowLog['type'], string> = {
  event: 'Event',
  page: 'Page',
  start_session: 'Session start',
  start_service: 'Service start',
  error: 'Error',
  custom_properties: 'Custom properties',
  push_installation: 'Push installation',
  distribution_start_session: 'Session of a release',
};

/** What devices send, as it comes. */
export default function LogFlowPage() {
  const { appRef, params } = useAppHere();
  const flow = useLogFlow(appRef);
  const [type, setType] = useUrlState('type');
  const row = useOpenRow();
  const shown = flow.logs?.filter((log) => !type || log.type === type);
  const open = flow.logs?.find(({ key }) => key === row.key);
  return (
    <Page
      title="Log flow"
      lead="What devices send, as it comes; the newest first."
      actions={
        <Group gap="xs">
          <ButtonLink
            to={pathTo('appLogSearch', params)}
            variant="default"
            leftSection={<IconSearch size={16} aria-hidden />}
          >
            Search earlier logs
          </ButtonLink>
          <Button
            variant="default"
            leftSection={
              flow.isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
            }
            onClick={flow.toggle}
          >
            {flow.isPaused ? 'Go on' : 'Pause'}
          </Button>
        </Group>
      }
    >
      <Stack gap="md">
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
              More came than is shown.
            </Text>
          )}
        </Group>
        <DataTable
          label="Log flow"
          search="Search logs"
          reading={{ data: shown, error: flow.error, refetch: flow.refetch }}
          keyOf={({ key }) => key}
          empty={
            <Empty
              icon={<IconWaveSine size={32} aria-hidden />}
              action={<ButtonLink to={pathTo('appAnalyticsSetUp', params)}>Set up</ButtonLink>}
            >
              Nothing came in the last minutes. Logs appear here some seconds after a device has sent them.
            </Empty>
          }
          columns={[
            {
              label: 'Log',
              text: nameOf,
              cell: (log) => <NameLink to={row.to(log.key)}>{nameOf(log)}</NameLink>,
            },
            { label: 'Type', width: 150, text: ({ type }) => types[type], cell: ({ type }) => types[type] },
            {
              label: 'Version',
              width: 110,
              onPhone: 'label',
              text: ({ device }) => device.app_version,
              cell: ({ device }) => device.app_version,
            },
            {
              label: 'Device',
              width: 200,
              isSecondary: true,
              text: deviceOf,
              cell: deviceOf,
            },
            {
              label: 'Properties',
              isSecondary: true,
              onPhone: 'hidden',
              text: propertiesOf,
              cell: (log) => propertiesOf(log) || '—',
            },
            timeColumn<NumberedLog>('Made', ({ timestamp }) => timestamp),
          ]}
        />
      </Stack>
      <DetailDrawer title={open && nameOf(open)} isOpen={open !== undefined} onClose={row.close}>
        {open && (
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {JSON.stringify({ ...open, key: undefined }, undefined, 2)}
          </Code>
        )}
      </DetailDrawer>
    </Page>
  );
}

const nameOf = (log: NumberedLog): string => log.event_name ?? types[log.type];
const deviceOf = ({ device }: NumberedLog): string =>
  [device.model, `${device.os_name} ${device.os_version}`].filter(Boolean).join(', ');
const propertiesOf = ({ properties = {} }: NumberedLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
