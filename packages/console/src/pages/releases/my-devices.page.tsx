import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { devices_registerUserForDevice } from '@mooring/contract';
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react';
import {
  type Device,
  PROFILE_ADDRESS,
  type UpdateToken,
  useDeleteUpdateToken,
  useDevices,
  useRegisterDevice,
  useRemoveDevice,
  useUpdateTokens,
} from '../../api/devices.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useMe } from '../../parts/me.ts';
import { Page, Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

/** What somebody tests on: Apple devices that releases have to name, and apps that look for their updates. */
export default function MyDevicesPage() {
  const [isAdding, adding] = useDisclosure();
  return (
    <Page
      title="Devices"
      lead="What you test apps on."
      actions={
        <>
          <Button component="a" href={PROFILE_ADDRESS} variant="default">
            Register this iPhone or iPad
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            Add a device
          </Button>
        </>
      }
    >
      <Part title="Apple devices" lead="An app for iOS can be installed on those that its release names.">
        <AppleDevices />
      </Part>
      <Part title="Apps that look for updates" lead="Each got its token when you signed in on its device.">
        <UpdateTokens />
      </Part>
      <Dialog opened={isAdding} onClose={adding.close} title="Add an Apple device">
        <AddDevice onClose={adding.close} />
      </Dialog>
    </Page>
  );
}

const nameOf = ({ device_name, model, udid }: Device): string => device_name || model || udid;

function AppleDevices() {
  const devices = useDevices();
  const question = useQuestion<Device>({
    title: (device) => `Forget ${nameOf(device)}?`,
    action: 'Forget it',
    loss: () => 'Whoever releases apps is not told of it any more. What is installed on it stays.',
    doing: useRemoveDevice(),
  });
  return (
    <>
      <DataTable
        label="Apple devices"
        name="devices"
        reading={devices}
        keyOf={({ udid }) => udid}
        outlineRows={3}
        empty={
          <Empty icon={<IconDeviceMobile size={32} aria-hidden />}>
            No device is registered. Open this page on an iPhone or iPad and register it there.
          </Empty>
        }
        columns={[
          { label: 'Device', text: nameOf, cell: nameOf },
          { label: 'UDID', width: 330, text: ({ udid }) => udid, cell: ({ udid }) => udid },
          {
            label: 'System',
            width: 110,
            text: ({ os_version }) => os_version,
            cell: ({ os_version }) => os_version,
            onPhone: 'label',
          },
          timeColumn<Device>('Registered', ({ registered_at }) => registered_at),
          actionsColumn<Device>(90, (device) => (
            <RowButton label={`Forget ${nameOf(device)}`} onClick={() => question.ask(device)}>
              Forget
            </RowButton>
          )),
        ]}
      />
      {question.dialog}
    </>
  );
}

const rule = fieldsOf(devices_registerUserForDevice);

function AddDevice({ onClose }: { onClose: () => void }) {
  const registration = useRegisterDevice(useMe().id);
  return (
    <Form
      action="Add"
      sending={registration}
      conflict="udid"
      onCancel={onClose}
      onSend={(fields) =>
        registration.mutate(
          { udid: fields.text('udid') ?? '', model: fields.text('model') ?? '' },
          { onSuccess: onClose },
        )
      }
    >
      <NameField name="udid" label="UDID" rule={rule('udid')} data-autofocus />
      <TextField name="model" label="Model" rule={rule('model')} placeholder="iPhone 16" />
    </Form>
  );
}

function UpdateTokens() {
  const tokens = useUpdateTokens();
  const question = useQuestion<UpdateToken>({
    title: ({ app }) => `Revoke the token of ${app.display_name}?`,
    action: 'Revoke it',
    loss: ({ app }) => `${app.display_name} asks you to sign in again before it finds updates.`,
    doing: useDeleteUpdateToken(),
  });
  return (
    <>
      <DataTable
        label="Apps that look for updates"
        name="update-tokens"
        reading={tokens}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconDeviceMobile size={32} aria-hidden />}>No app on any device looks for your updates.</Empty>
        }
        columns={[
          { label: 'App', text: ({ app }) => app.display_name, cell: ({ app }) => app.display_name },
          { label: 'Platform', width: 110, text: ({ platform }) => platform, cell: ({ platform }) => platform },
          timeColumn<UpdateToken>('Since', ({ created_at }) => created_at),
          actionsColumn<UpdateToken>(110, (token) => (
            <RowButton label={`Revoke the token of ${token.app.display_name}`} onClick={() => question.ask(token)}>
              Revoke
            </RowButton>
          )),
        ]}
      />
      {question.dialog}
    </>
  );
}
