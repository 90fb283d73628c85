import { Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { test_createDeviceSelection, test_createDeviceSetOfOwner } from '@mooring/contract';
import { IconDeviceMobile, IconStack2 } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type DeviceConfiguration,
  type DeviceSet,
  useCreateDeviceSet,
  useDeleteDeviceSet,
  useDeviceSets,
  useDevices,
  useSelectDevices,
} from '../../api/builds/tests.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const getSetRule = getBodyRules(test_createDeviceSetOfOwner);

export default function TestDevicesPage() {
  const { appRef, can } = useCurrentApp();
  const selecting = useSelectDevices(appRef);
  return (
    <Page
      title="Devices"
      description="Devices connected to this app's runners. Offline runners show their last known devices."
    >
      {selecting.error && <Failure error={selecting.error} title="Couldn't create the short ID" />}
      {selecting.data && <Copyable label="short ID" value={`--devices ${selecting.data.shortId}`} />}
      <DataTable
        id="device-tests-devices-devices"
        label="Devices"
        name="devices"
        query={useDevices(appRef)}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'name',
            label: 'Name',
            text: ({ name }) => name,
            cell: ({ name, isEmulated }) => (
              <Group gap="xs">
                {name}
                {isEmulated && <Badge color="gray">Emulated browser</Badge>}
              </Group>
            ),
          },
          { id: 'system', label: 'System', width: 120, text: ({ osName }) => osName, cell: ({ osName }) => osName },
          {
            id: 'status',
            label: 'Status',
            width: 100,
            text: ({ isOnline }) => (isOnline ? 'Online' : 'Offline'),
            cell: ({ isOnline }) => (
              <Badge color={isOnline ? 'green' : 'gray'}>{isOnline ? 'Online' : 'Offline'}</Badge>
            ),
          },
          {
            id: 'frameworks',
            label: 'Frameworks',
            width: '20%',
            isSecondary: true,
            text: ({ frameworks }) => frameworks.join(' '),
            cell: ({ frameworks }) => frameworks.join(', '),
          },
          {
            id: 'runners',
            label: 'Runners',
            width: '18%',
            isSecondary: true,
            text: ({ runners }) => runners.join(' '),
            cell: ({ runners }) => runners.join(', '),
          },
          actionsColumn<DeviceConfiguration>(100, ({ id, name }) =>
            can(test_createDeviceSelection) ? (
              <RowButton label={`Get short ID of ${name}`} onClick={() => selecting.mutate([id])}>
                Get short ID
              </RowButton>
            ) : null,
          ),
        ]}
        outlineRows={3}
        empty={
          <EmptyState icon={<IconDeviceMobile size={32} aria-hidden />}>
            No devices yet. Connect a device to a runner, or install Chromium there for emulated phones.
          </EmptyState>
        }
      />
      <Sets />
    </Page>
  );
}

function Sets() {
  const { appRef, can } = useCurrentApp();
  const [isCreating, creating] = useDisclosure();
  const canChange = can(test_createDeviceSetOfOwner);
  const deletion = useConfirm<DeviceSet>({
    title: ({ name }) => `Delete device set ${name}?`,
    action: 'Delete device set',
    consequence: () => 'Scripts that use this set will fail.',
    openDialog: useDeleteDeviceSet(appRef),
  });
  return (
    <Section
      title="Device sets"
      description="Shared by all apps of this owner. Scripts select a set with --devices."
      actions={
        canChange && (
          <Button variant="default" onClick={creating.open}>
            New device set
          </Button>
        )
      }
    >
      <DataTable
        id="device-tests-devices-device-sets"
        label="Device sets"
        name="sets"
        query={useDeviceSets(appRef)}
        rowKey={({ id }) => id}
        columns={[
          { id: 'name', label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            id: 'value_for_devices',
            label: 'Value for --devices',
            text: ({ owner, slug }) => `${owner.name}/${slug}`,
            cell: ({ owner, slug, name }) => <Copyable label={`name of ${name}`} value={`${owner.name}/${slug}`} />,
          },
          {
            id: 'devices',
            label: 'Devices',
            width: 100,
            text: ({ deviceConfigurations }) => deviceConfigurations.length,
            cell: ({ deviceConfigurations }) => deviceConfigurations.length,
          },
          actionsColumn<DeviceSet>(100, (set) =>
            canChange ? (
              <RowButton label={`Delete ${set.name}`} onClick={() => deletion.open(set)}>
                Delete
              </RowButton>
            ) : null,
          ),
        ]}
        empty={<EmptyState icon={<IconStack2 size={32} aria-hidden />}>No device sets yet</EmptyState>}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New device set">
        <NewSet onClose={creating.close} />
      </Dialog>
      {deletion.dialog}
    </Section>
  );
}

function NewSet({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const creation = useCreateDeviceSet(appRef);
  const { data = [] } = useDevices(appRef);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Form
      action="Create device set"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => creation.mutate({ name: fields.text('name') ?? '', devices: chosen }, { onSuccess: onClose })}
    >
      <NameField name="name" label="Name" rule={getSetRule('name')} placeholder="Smoke" />
      <Checkbox.Group label="Devices" value={chosen} onChange={setChosen}>
        <Stack gap={6} mt={6}>
          {data.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
          {data.length === 0 && <Text size="sm">No devices available. Connect one to a runner first.</Text>}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
