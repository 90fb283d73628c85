import { Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { type Consent, useConsents, useRevokeConsent } from '../../api/account/oauth.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';

export default function ConnectionsPage() {
  const consents = useConsents();
  const [revoking, setRevoking] = useState<Consent>();
  return (
    <Page title="Connections" description="Programs with access to your account.">
      <DataTable
        id="identity-connections"
        label="Connections"
        query={consents}
        columns={columns(setRevoking)}
        rowKey={({ client_id }) => client_id}
        empty={
          <EmptyState icon={<IconPlugConnected size={32} aria-hidden />}>
            No connected programs. Programs appear here after you allow them access.
          </EmptyState>
        }
      />
      {revoking && <Revoke consent={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

const columns = (onRevoke: (consent: Consent) => void): Column<Consent>[] => [
  { id: 'program', label: 'Program', text: ({ client_name }) => client_name, cell: ({ client_name }) => client_name },
  timeColumn('allowed', 'Allowed', ({ granted_at }) => granted_at),
  actionsColumn(100, (consent) => (
    <RowButton onClick={() => onRevoke(consent)} label={`Revoke access of ${consent.client_name}`}>
      Revoke
    </RowButton>
  )),
];

function Revoke({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const revoke = useRevokeConsent();
  return (
    <ConfirmDialog
      title={`Revoke access of ${consent.client_name}?`}
      action="Revoke access"
      isDangerous
      mutation={revoke}
      onConfirm={() => revoke.mutate(consent.client_id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>The program immediately loses access to your account. It can ask for access again.</Text>
    </ConfirmDialog>
  );
}
