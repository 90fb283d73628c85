import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type OrgRole, serviceAccounts_create } from '@mooring/contract';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ServiceAccount,
  useCreateServiceAccount,
  useDeleteServiceAccount,
  useServiceAccounts,
} from '../../api/administration/service-accounts.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NameLink } from '../../components/text/links.tsx';
import { formatRole, roleLabels } from '../../components/text/role-labels.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

export default function ServiceAccountsPage() {
  const { org, params } = useCurrentOrg();
  const accounts = useServiceAccounts(org.name, useListQuery(['display_name', 'name', 'role', 'created_at']));
  const [isCreating, creating] = useDisclosure();
  const deletion = useDeleteServiceAccount(org.name);
  const confirmation = useConfirm<ServiceAccount>({
    title: ({ display_name }) => `Delete service account ${display_name}?`,
    action: 'Delete service account',
    consequence: ({ display_name }) =>
      `${display_name} loses all access, and its API tokens stop working immediately. This cannot be undone.`,
    openDialog: { ...deletion, mutate: ({ name }, options) => deletion.mutate(name, options) },
  });
  return (
    <Page
      title="Service accounts"
      description="Accounts for automation. Their tokens keep working when people leave."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New service account
        </Button>
      }
    >
      <DataTable
        id="orgs-service-accounts"
        label="Service accounts"
        search="Search service accounts"
        isServers
        query={accounts}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconRobot size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create service account</Button>}
          >
            No service accounts yet. Create one for your build server.
          </EmptyState>
        }
        columns={[
          {
            id: 'display_name',
            label: 'Account',
            sort: 'display_name',
            text: ({ display_name }) => display_name,
            cell: ({ name, display_name }) => (
              <NameLink to={pathTo('orgServiceAccount', { ...params, account: name })}>{display_name}</NameLink>
            ),
          },
          { id: 'name', label: 'Name', sort: 'name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            id: 'role',
            label: 'Role',
            sort: 'role',
            width: 140,
            text: ({ role }) => formatRole(role),
            cell: ({ role }) => formatRole(role),
          },
          timeColumn<ServiceAccount>('created_at', 'Created', ({ created_at }) => created_at, { sort: 'created_at' }),
          actionsColumn<ServiceAccount>(100, (account) => (
            <RowButton onClick={() => confirmation.open(account)} label={`Delete ${account.display_name}`}>
              Delete
            </RowButton>
          )),
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New service account">
        <NewServiceAccount onClose={creating.close} />
      </Dialog>
      {confirmation.dialog}
    </Page>
  );
}

const rules = getBodyRules(serviceAccounts_create);

function NewServiceAccount({ onClose }: { onClose: () => void }) {
  const { org } = useCurrentOrg();
  const creation = useCreateServiceAccount(org.name);
  const [role, setRole] = useState<OrgRole>('collaborator');
  return (
    <Form
      action="Create service account"
      sending={creation}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(
          { display_name: fields.text('display_name') ?? '', name: fields.text('name'), role },
          { onSuccess: onClose },
        )
      }
    >
      <TextField
        name="display_name"
        label="Display name"
        rule={rules('display_name')}
        placeholder="Build robot"
        data-autofocus
      />
      <NameField name="name" label="Name" rule={rules('name')} />
      <LabeledSelect label="Role" labels={roleLabels} value={role} onChange={setRole} />
    </Form>
  );
}
