import { NumberInput, Stack, Text } from '@mantine/core';
import { OwnerName } from '@mooring/contract';
import { IconGauge } from '@tabler/icons-react';
import { useState } from 'react';
import { type AccountQuotas, useQuotas, useSetQuotas } from '../../api/administration/usage.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { toFieldRule } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { formatSize } from '../../components/text/format-size.ts';

const GIB = 1024 ** 3;
const formatUsage = (used: string, limit: string | undefined) =>
  limit === undefined ? `${used}, no limit` : `${used} of ${limit}`;

export default function QuotasPage() {
  const [changed, setChanged] = useState<AccountQuotas>();
  const close = () => setChanged(undefined);
  return (
    <Page
      title="Quotas"
      description="Limits for users and organizations. Existing data stays; uploads and builds over the limit are refused."
      actions={
        <DialogButton label="Set quotas" title="Set quotas">
          {(onClose) => <QuotasForm onClose={onClose} />}
        </DialogButton>
      }
    >
      <DataTable
        id="administration-quotas"
        label="Quotas"
        query={useQuotas(useListQuery(['name']))}
        rowKey={({ name }) => name}
        search="Search names"
        isServers
        empty={<EmptyState icon={<IconGauge size={32} aria-hidden />}>No quotas set</EmptyState>}
        columns={[
          { id: 'name', label: 'Name', sort: 'name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            id: 'storage',
            label: 'Storage',
            mobileDisplay: 'label',
            text: ({ used }) => used.storage_bytes ?? 0,
            cell: ({ used, quotas: { storage_bytes: limit } }) =>
              formatUsage(formatSize(used.storage_bytes ?? 0), limit === undefined ? undefined : formatSize(limit)),
          },
          {
            id: 'build_minutes_this_month',
            label: 'Build minutes this month',
            mobileDisplay: 'label',
            text: ({ used }) => used.build_minutes ?? 0,
            cell: ({ used, quotas }) =>
              formatUsage((used.build_minutes ?? 0).toLocaleString(), quotas.build_minutes?.toLocaleString()),
          },
          actionsColumn<AccountQuotas>(100, (account) => (
            <RowButton label={`Edit quotas of ${account.name}`} onClick={() => setChanged(account)}>
              Edit
            </RowButton>
          )),
        ]}
      />
      <Dialog opened={changed !== undefined} onClose={close} title={`Quotas of ${changed?.name}`}>
        {changed && <QuotasForm account={changed} onClose={close} />}
      </Dialog>
    </Page>
  );
}

/** An empty limit means no limit. */
function QuotasForm({ account, onClose }: { account?: AccountQuotas; onClose: () => void }) {
  const setting = useSetQuotas();
  const { storage_bytes, build_minutes } = account?.quotas ?? {};
  const [storage, setStorage] = useState<string | number>(storage_bytes === undefined ? '' : storage_bytes / GIB);
  const [minutes, setMinutes] = useState<string | number>(build_minutes ?? '');
  return (
    <Form
      action="Save"
      sending={setting}
      onCancel={onClose}
      onSend={(fields) =>
        setting.mutate(
          {
            name: account?.name ?? fields.text('name') ?? '',
            quotas: {
              ...(storage === '' ? {} : { storage_bytes: Math.round(Number(storage) * GIB) }),
              ...(minutes === '' ? {} : { build_minutes: Number(minutes) }),
            },
          },
          { onSuccess: onClose },
        )
      }
    >
      {!account && <NameField name="name" label="User or organization" rule={toFieldRule(OwnerName)} data-autofocus />}
      <Stack gap="xs">
        <NumberInput
          label="Storage in GB"
          description="Releases, symbols, CodePush updates, attachments and files of builds and tests, for all apps. Leave empty for no limit."
          min={0}
          decimalScale={3}
          value={storage}
          onChange={setStorage}
        />
        <NumberInput
          label="Build minutes per month"
          description="Time that runners spend on builds of all apps. Leave empty for no limit."
          min={0}
          allowDecimal={false}
          value={minutes}
          onChange={setMinutes}
        />
      </Stack>
      <Text size="sm" c="dimmed">
        The audit log records this change.
      </Text>
    </Form>
  );
}
