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
} from '../../../api/releases/devices.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { Page, Section } from '../../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { RowButton } from '../../../components/tables/row-button.tsx';
import { useCurrentUser } from '../../../context/current-user.ts';

/** Registered Apple devices, and apps with update tokens. */
export default function MyDevicesPage() {
  const [isAdding, adding] = useDisclosure();
  return (
    <Page
      title="Devices"
      description="Devices you test apps on."
      actions={
        <>
          <Button component="a" href={PROFILE_ADDRESS} variant="default">
            Register this iPhone or iPad
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            Add device
          </Button>
        </>
      }
    >
      <Section
        title="Apple devices"
        description="iOS apps can be installed only on devices in their provisioning profile."
      >
        <AppleDevices />
      </Section>
      <Section title="In-app updates" description="Apps where you signed in to get updates.">
        <UpdateTokens />
      </Section>
      <Dialog opened={isAdding} onClose={adding.close} title="Add device">
        <AddDevice onClose={adding.close} />
      </Dialog>
    </Page>
  );
}

const getDeviceName = ({ device_name, model, udid }: Device): string => device_name || model || udid;

function AppleDevices() {
  const devices = useDevices();
  const confirmation = useConfirm<Device>({
    title: (device) => `Remove device ${getDeviceName(device)}?`,
    action: 'Remove device',
    consequence: () => 'App developers no longer see this device. Installed apps stay.',
    openDialog: useRemoveDevice(),
  });
  return (
    <>
      <DataTable
        id="my-devices-apple-devices"
        label="Apple devices"
        name="devices"
        query={devices}
        rowKey={({ udid }) => udid}
        outlineRows={3}
        empty={
          <EmptyState icon={<IconDeviceMobile size={32} aria-hidden />}>
            No devices yet. To register an iPhone or iPad, open this page on it.
          </EmptyState>
        }
        columns={[
          { id: 'device', label: 'Device', text: getDeviceName, cell: getDeviceName },
          { id: 'udid', label: 'UDID', width: 330, text: ({ udid }) => udid, cell: ({ udid }) => udid },
          {
            id: 'system',
            label: 'System',
            width: 110,
            text: ({ os_version }) => os_version,
            cell: ({ os_version }) => os_version,
            mobileDisplay: 'label',
          },
          timeColumn<Device>('registered', 'Registered', ({ registered_at }) => registered_at),
          actionsColumn<Device>(90, (device) => (
            <RowButton label={`Remove ${getDeviceName(device)}`} onClick={() => confirmation.open(device)}>
              Remove
            </RowButton>
          )),
        ]}
      />
      {confirmation.dialog}
    </>
  );
}

const rule = getBodyRules(devices_registerUserForDevice);

function AddDevice({ onClose }: { onClose: () => void }) {
  const registration = useRegisterDevice(useCurrentUser().id);
  return (
    <Form
      action="Add device"
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
  const confirmation = useConfirm<UpdateToken>({
    title: ({ app }) => `Revoke update token of ${app.display_name}?`,
    action: 'Revoke update token',
    consequence: ({ app }) => `${app.display_name} asks you to sign in again before it gets updates.`,
    openDialog: useDeleteUpdateToken(),
  });
  return (
    <>
      <DataTable
        id="my-devices-in-app-updates"
        label="In-app updates"
        name="update-tokens"
        query={tokens}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<IconDeviceMobile size={32} aria-hidden />}>
            No apps yet. Sign in to an app with in-app updates to see it here.
          </EmptyState>
        }
        columns={[
          { id: 'app', label: 'App', text: ({ app }) => app.display_name, cell: ({ app }) => app.display_name },
          {
            id: 'platform',
            label: 'Platform',
            width: 110,
            text: ({ platform }) => platform,
            cell: ({ platform }) => platform,
          },
          timeColumn<UpdateToken>('since', 'Since', ({ created_at }) => created_at),
          actionsColumn<UpdateToken>(110, (token) => (
            <RowButton
              label={`Revoke update token of ${token.app.display_name}`}
              onClick={() => confirmation.open(token)}
            >
              Revoke
            </RowButton>
          )),
        ]}
      />
      {confirmation.dialog}
    </>
  );
}
