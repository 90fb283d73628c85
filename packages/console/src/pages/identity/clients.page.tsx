import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type OauthClient, useClients, useDeleteClient } from '../../api/oauth-clients.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { ClientForm } from './client-form.tsx';
import { SigningKeys } from './signing-keys.tsx';

export default function ClientsPage() {
  const clients = useClients();
  const [edited, setEdited] = useState<OauthClient | 'new'>();
  const close = () => setEdited(undefined);
  const deletion = useQuestion<OauthClient>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: ({ name }) =>
      `Nobody can sign in to ${name} any more, and the access tokens that it has are refused from the next request on.`,
    doing: useDeleteClient(),
  });
  return (
    <Page
      title="OAuth clients"
      lead="Programs that people sign in to with their account here."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          New client
        </Button>
      }
    >
      <DataTable
        label="OAuth clients"
        reading={clients}
        keyOf={({ client_id }) => client_id}
        empty={<Empty icon={<IconPlugConnected size={32} aria-hidden />}>There is no client.</Empty>}
        columns={[...columns, actions(setEdited, deletion.ask)]}
      />
      <SigningKeys />
      <Dialog opened={edited !== undefined} onClose={close} title={edited === 'new' ? 'New client' : edited?.name}>
        {edited && <ClientForm client={edited === 'new' ? undefined : edited} onClose={close} />}
      </Dialog>
      {deletion.dialog}
    </Page>
  );
}

const columns: Column<OauthClient>[] = [
  {
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
    label: 'Client id',
    text: ({ client_id }) => client_id,
    cell: ({ client_id, name }) => <Copyable value={client_id} label={`the id of ${name}`} />,
  },
  {
    label: 'Redirect addresses',
    text: ({ redirect_uris }) => redirect_uris.join(' '),
    cell: ({ redirect_uris }) => redirect_uris.join(', '),
  },
  {
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
          <RowButton onClick={() => onChange(client)} label={`Change ${client.name}`}>
            Change
          </RowButton>
          <RowButton onClick={() => onDelete(client)} label={`Delete ${client.name}`}>
            Delete
          </RowButton>
        </>
      ),
  );
