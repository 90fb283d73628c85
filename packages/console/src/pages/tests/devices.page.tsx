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
} from '../../api/tests.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

const setOf = fieldsOf(test_createDeviceSetOfOwner);

export default function TestDevicesPage() {
  const { appRef, may } = useAppHere();
  const selecting = useSelectDevices(appRef);
  return (
    <Page title="Devices" lead="What the runners of this app have at their ports, or had when they were last seen.">
      {selecting.error && <Failure error={selecting.error} title="No short id was made" />}
      {selecting.data && <Copyable label="the short id" value={`--devices ${selecting.data.shortId}`} />}
      <DataTable
        label="Devices"
        name="devices"
        reading={useDevices(appRef)}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Name',
            text: ({ name }) => name,
            cell: ({ name, isEmulated }) => (
              <Group gap="xs">
                {name}
                {isEmulated && <Badge color="gray">emulated browser</Badge>}
              </Group>
            ),
          },
          { label: 'System', width: 120, text: ({ osName }) => osName, cell: ({ osName }) => osName },
          {
            label: 'State',
            width: 100,
            text: ({ isOnline }) => (isOnline ? 'online' : 'offline'),
            cell: ({ isOnline }) => (
              <Badge color={isOnline ? 'green' : 'gray'}>{isOnline ? 'online' : 'offline'}</Badge>
            ),
          },
          {
            label: 'For',
            width: '20%',
            isSecondary: true,
            text: ({ frameworks }) => frameworks.join(' '),
            cell: ({ frameworks }) => frameworks.join(', '),
          },
          {
            label: 'At',
            width: '18%',
            isSecondary: true,
            text: ({ runners }) => runners.join(' '),
            cell: ({ runners }) => runners.join(', '),
          },
          actionsColumn<DeviceConfiguration>(100, ({ id, name }) =>
            may(test_createDeviceSelection) ? (
              <RowButton label={`Short id of ${name}`} onClick={() => selecting.mutate([id])}>
                Short id
              </RowButton>
            ) : null,
          ),
        ]}
        outlineRows={3}
        empty={
          <Empty icon={<IconDeviceMobile size={32} aria-hidden />}>
            No runner of this app has a device. A runner with Chromium has emulated phones.
          </Empty>
        }
      />
      <Sets />
    </Page>
  );
}

function Sets() {
  const { appRef, may } = useAppHere();
  const [isCreating, creating] = useDisclosure();
  const mayChange = may(test_createDeviceSetOfOwner);
  const deletion = useQuestion<DeviceSet>({
    title: ({ name }) => `Delete the set ${name}?`,
    action: 'Delete',
    loss: () => 'Scripts that name it are refused.',
    doing: useDeleteDeviceSet(appRef),
  });
  return (
    <Part
      title="Sets"
      lead="For all apps of the owner; a script names one after --devices."
      actions={
        mayChange && (
          <Button variant="default" onClick={creating.open}>
            New set
          </Button>
        )
      }
    >
      <DataTable
        label="Sets of devices"
        name="sets"
        reading={useDeviceSets(appRef)}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            label: 'For --devices',
            text: ({ owner, slug }) => `${owner.name}/${slug}`,
            cell: ({ owner, slug, name }) => <Copyable label={`the name of ${name}`} value={`${owner.name}/${slug}`} />,
          },
          {
            label: 'Devices',
            width: 100,
            text: ({ deviceConfigurations }) => deviceConfigurations.length,
            cell: ({ deviceConfigurations }) => deviceConfigurations.length,
          },
          actionsColumn<DeviceSet>(100, (set) =>
            mayChange ? (
              <RowButton label={`Delete ${set.name}`} onClick={() => deletion.ask(set)}>
                Delete
              </RowButton>
            ) : null,
          ),
        ]}
        empty={<Empty icon={<IconStack2 size={32} aria-hidden />}>There are no sets.</Empty>}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New set of devices">
        <NewSet onClose={creating.close} />
      </Dialog>
      {deletion.dialog}
    </Part>
  );
}

function NewSet({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const creation = useCreateDeviceSet(appRef);
  const { data = [] } = useDevices(appRef);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) => creation.mutate({ name: fields.text('name') ?? '', devices: chosen }, { onSuccess: onClose })}
    >
      <NameField name="name" label="Name" rule={setOf('name')} placeholder="Smoke" />
      <Checkbox.Group label="Devices" value={chosen} onChange={setChosen}>
        <Stack gap={6} mt={6}>
          {data.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
          {data.length === 0 && <Text size="sm">No runner of this app has a device.</Text>}
        </Stack>
      </Checkbox.Group>
    </Form>
  );
}
