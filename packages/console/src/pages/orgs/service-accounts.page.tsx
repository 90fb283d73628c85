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
} from '../../api/service-accounts.ts';
import { Choice } from '../../parts/choice.tsx';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { inWords, roleWords } from '../../parts/role-words.ts';
import { RowButton } from '../../parts/row-button.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';

export default function ServiceAccountsPage() {
  const { org, params } = useOrgHere();
  const accounts = useServiceAccounts(org.name, useListQuery(['display_name', 'name', 'role', 'created_at']));
  const [isCreating, creating] = useDisclosure();
  const deletion = useDeleteServiceAccount(org.name);
  const question = useQuestion<ServiceAccount>({
    title: ({ display_name }) => `Delete ${display_name}?`,
    action: 'Delete',
    loss: ({ display_name }) =>
      `${display_name} loses its access to everything, and all its API tokens are refused from the next request on. This cannot be undone.`,
    doing: { ...deletion, mutate: ({ name }, options) => deletion.mutate(name, options) },
  });
  return (
    <Page
      title="Service accounts"
      lead="Members for automation: their tokens keep working when somebody leaves."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
          New service account
        </Button>
      }
    >
      <DataTable
        label="Service accounts"
        search="Search service accounts"
        isServers
        reading={accounts}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconRobot size={32} aria-hidden />}
            action={<Button onClick={creating.open}>Create a service account</Button>}
          >
            There are none yet. Give a build server an account and a token of its own.
          </Empty>
        }
        columns={[
          {
            label: 'Account',
            sort: 'display_name',
            text: ({ display_name }) => display_name,
            cell: ({ name, display_name }) => (
              <NameLink to={pathTo('orgServiceAccount', { ...params, account: name })}>{display_name}</NameLink>
            ),
          },
          { label: 'Name', sort: 'name', text: ({ name }) => name, cell: ({ name }) => name },
          {
            label: 'Role',
            sort: 'role',
            width: 140,
            text: ({ role }) => inWords(role),
            cell: ({ role }) => inWords(role),
          },
          timeColumn<ServiceAccount>('Created', ({ created_at }) => created_at, { sort: 'created_at' }),
          actionsColumn<ServiceAccount>(100, (account) => (
            <RowButton onClick={() => question.ask(account)} label={`Delete ${account.display_name}`}>
              Delete
            </RowButton>
          )),
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New service account">
        <NewServiceAccount onClose={creating.close} />
      </Dialog>
      {question.dialog}
    </Page>
  );
}

const rules = fieldsOf(serviceAccounts_create);

function NewServiceAccount({ onClose }: { onClose: () => void }) {
  const { org } = useOrgHere();
  const creation = useCreateServiceAccount(org.name);
  const [role, setRole] = useState<OrgRole>('collaborator');
  return (
    <Form
      action="Create"
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
      <Choice label="Role" words={roleWords} value={role} onChange={setRole} />
    </Form>
  );
}
