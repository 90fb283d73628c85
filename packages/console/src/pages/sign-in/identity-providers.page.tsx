import { Badge, Button, Group, Text } from '@mantine/core';
import { IconFingerprint, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type IdentityProvider, useDeleteProvider, useIdentityProviders } from '../../api/account/sign-in.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { FactorRule } from './factor-rule.tsx';
import { GroupMappings } from './group-mappings.tsx';
import { ProviderForm } from './provider-form.tsx';
import { SignInRule } from './sign-in-rule.tsx';

export default function IdentityProvidersPage() {
  const providers = useIdentityProviders();
  const [edited, setEdited] = useState<IdentityProvider | 'new'>();
  const [mapped, setMapped] = useState<IdentityProvider>();
  const close = () => setEdited(undefined);
  const deletion = useConfirm<IdentityProvider>({
    title: ({ display_name }) => `Delete identity provider ${display_name}?`,
    action: 'Delete identity provider',
    consequence: ({ display_name }) =>
      `People can no longer sign in with ${display_name}. They keep their accounts and open sessions.`,
    openDialog: useDeleteProvider(),
  });
  return (
    <Page
      title="Identity providers"
      description="OpenID Connect providers that people sign in with, instead of a password."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          New identity provider
        </Button>
      }
    >
      <DataTable
        id="identity-providers"
        label="Identity providers"
        query={providers}
        rowKey={({ name }) => name}
        empty={<EmptyState icon={<IconFingerprint size={32} aria-hidden />}>No identity providers yet</EmptyState>}
        columns={[...columns, actions({ onMap: setMapped, onChange: setEdited, onDelete: deletion.open })]}
      />
      <SignInRule />
      <FactorRule />
      <Dialog
        opened={edited !== undefined}
        onClose={close}
        title={edited === 'new' ? 'New identity provider' : `Edit ${edited?.display_name}`}
      >
        {edited && <ProviderForm provider={edited === 'new' ? undefined : edited} onClose={close} />}
      </Dialog>
      <Dialog
        opened={mapped !== undefined}
        onClose={() => setMapped(undefined)}
        title={`Groups of ${mapped?.display_name}`}
      >
        {mapped && <GroupMappings provider={mapped.name} />}
      </Dialog>
      {deletion.dialog}
    </Page>
  );
}

const columns: Column<IdentityProvider>[] = [
  {
    id: 'provider',
    label: 'Provider',
    width: '24%',
    text: ({ display_name }) => display_name,
    cell: ({ display_name, is_enabled, is_from_settings }) => (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {display_name}
        </Text>
        {is_from_settings && <Badge color="gray">From settings</Badge>}
        {!is_enabled && <Badge color="yellow">Disabled</Badge>}
      </Group>
    ),
  },
  { id: 'issuer', label: 'Issuer', text: ({ issuer }) => issuer, cell: ({ issuer }) => issuer },
  {
    id: 'redirect_uri',
    label: 'Redirect URI',
    text: ({ redirect_uri }) => redirect_uri,
    cell: ({ redirect_uri, display_name }) => (
      <Copyable value={redirect_uri} label={`Redirect URI of ${display_name}`} />
    ),
  },
];

interface Actions {
  onMap: (provider: IdentityProvider) => void;
  onChange: (provider: IdentityProvider) => void;
  onDelete: (provider: IdentityProvider) => void;
}

const actions = ({ onMap, onChange, onDelete }: Actions): Column<IdentityProvider> =>
  actionsColumn(220, (provider) => (
    <>
      <RowButton onClick={() => onMap(provider)} label={`Groups of ${provider.display_name}`}>
        Groups
      </RowButton>
      {!provider.is_from_settings && (
        <>
          <RowButton onClick={() => onChange(provider)} label={`Edit ${provider.display_name}`}>
            Edit
          </RowButton>
          <RowButton onClick={() => onDelete(provider)} label={`Delete ${provider.display_name}`}>
            Delete
          </RowButton>
        </>
      )}
    </>
  ));
