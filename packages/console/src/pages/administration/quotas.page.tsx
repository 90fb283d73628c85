import { NumberInput, Stack, Text } from '@mantine/core';
import { OwnerName } from '@mooring/contract';
import { IconGauge } from '@tabler/icons-react';
import { useState } from 'react';
import { type AccountQuotas, useQuotas, useSetQuotas } from '../../api/usage.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ruleOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import { useListQuery } from '../../parts/table-state.ts';

const GIB = 1024 ** 3;
const of = (used: string, most: string | undefined) =>
  most === undefined ? `${used}, no limit` : `${used} of ${most}`;

export default function QuotasPage() {
  const [changed, setChanged] = useState<AccountQuotas>();
  const close = () => setChanged(undefined);
  return (
    <Page
      title="Quotas"
      lead="How much users and organizations may use. What is there stays; what would come on top is refused with how much is used."
      actions={
        <DialogButton label="Set quotas" title="Set quotas of a user or an organization">
          {(onClose) => <QuotasForm onClose={onClose} />}
        </DialogButton>
      }
    >
      <DataTable
        label="Quotas"
        reading={useQuotas(useListQuery(['name']))}
        keyOf={({ name }) => name}
        search="Search names"
        isServers
        empty={<Empty icon={<IconGauge size={32} aria-hidden />}>Nobody is limited.</Empty>}
        columns={[
          { label: 'Name', sort: 'name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            label: 'Storage',
            onPhone: 'label',
            text: ({ used }) => used.storage_bytes ?? 0,
            cell: ({ used, quotas: { storage_bytes: most } }) =>
              of(sizeInWords(used.storage_bytes ?? 0), most === undefined ? undefined : sizeInWords(most)),
          },
          {
            label: 'Build minutes this month',
            onPhone: 'label',
            text: ({ used }) => used.build_minutes ?? 0,
            cell: ({ used, quotas }) =>
              of((used.build_minutes ?? 0).toLocaleString(), quotas.build_minutes?.toLocaleString()),
          },
          actionsColumn<AccountQuotas>(100, (account) => (
            <RowButton label={`Change the quotas of ${account.name}`} onClick={() => setChanged(account)}>
              Change
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

/** A limit that is left empty is none. */
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
      {!account && <NameField name="name" label="User or organization" rule={ruleOf(OwnerName)} data-autofocus />}
      <Stack gap="xs">
        <NumberInput
          label="Storage in GB"
          description="Releases, symbols, updates, attachments, and what builds and tests keep, of all apps together. Empty: no limit."
          min={0}
          decimalScale={3}
          value={storage}
          onChange={setStorage}
        />
        <NumberInput
          label="Build minutes a month"
          description="How long runners may work on builds of all apps together. Empty: no limit."
          min={0}
          allowDecimal={false}
          value={minutes}
          onChange={setMinutes}
        />
      </Stack>
      <Text size="sm" c="dimmed">
        The audit log says who set it.
      </Text>
    </Form>
  );
}
