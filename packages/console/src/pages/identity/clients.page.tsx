import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type OauthClient, useClients, useDeleteClient } from '../../api/account/oauth-clients.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { ClientForm } from './client-form.tsx';
import { SigningKeys } from './signing-keys.tsx';

export default function ClientsPage() {
  const clients = useClients();
  const [edited, setEdited] = useState<OauthClient | 'new'>();
  const close = () => setEdited(undefined);
  const deletion = useConfirm<OauthClient>({
    title: ({ name }) => `Delete client ${name}?`,
    action: 'Delete client',
    consequence: ({ name }) =>
      `People can no longer sign in to ${name}, and its access tokens stop working immediately.`,
    openDialog: useDeleteClient(),
  });
  return (
    <Page
      title="OAuth clients"
      description="Programs that people sign in to with their Mooring account."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          New client
        </Button>
      }
    >
      <DataTable
        id="identity-clients"
        label="OAuth clients"
        query={clients}
        rowKey={({ client_id }) => client_id}
        empty={<EmptyState icon={<IconPlugConnected size={32} aria-hidden />}>No OAuth clients yet</EmptyState>}
        columns={[...columns, actions(setEdited, deletion.open)]}
      />
      <SigningKeys />
      <Dialog
        opened={edited !== undefined}
        onClose={close}
        title={edited === 'new' ? 'New client' : `Edit ${edited?.name}`}
      >
        {edited && <ClientForm client={edited === 'new' ? undefined : edited} onClose={close} />}
      </Dialog>
      {deletion.dialog}
    </Page>
  );
}

const columns: Column<OauthClient>[] = [
  {
    id: 'client',
    label: 'Client',
    width: '24%',
    text: ({ name }) => name,
    cell: ({ name, is_built_in }) => (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {is_built_in && <Badge color="gray">Built in</Badge>}
      </Group>
    ),
  },
  {
    id: 'client_id',
    label: 'Client ID',
    text: ({ client_id }) => client_id,
    cell: ({ client_id, name }) => <Copyable value={client_id} label={`ID of ${name}`} />,
  },
  {
    id: 'redirect_urls',
    label: 'Redirect URLs',
    text: ({ redirect_uris }) => redirect_uris.join(' '),
    cell: ({ redirect_uris }) => redirect_uris.join(', '),
  },
  {
    id: 'flows',
    label: 'Flows',
    width: 120,
    isSecondary: true,
    text: ({ allows_implicit }) => (allows_implicit ? 'Code, implicit' : 'Code'),
    cell: ({ allows_implicit }) => (allows_implicit ? 'Code, implicit' : 'Code'),
  },
];

const actions = (
  onChange: (client: OauthClient) => void,
  onDelete: (client: OauthClient) => void,
): Column<OauthClient> =>
  actionsColumn(
    150,
    (client) =>
      !client.is_built_in && (
        <>
          <RowButton onClick={() => onChange(client)} label={`Edit ${client.name}`}>
            Edit
          </RowButton>
          <RowButton onClick={() => onDelete(client)} label={`Delete ${client.name}`}>
            Delete
          </RowButton>
        </>
      ),
  );
