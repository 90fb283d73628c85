import { Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { type Consent, useConsents, useRevokeConsent } from '../../api/oauth.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';

export default function ConnectionsPage() {
  const consents = useConsents();
  const [revoking, setRevoking] = useState<Consent>();
  return (
    <Page title="Connections" lead="Programs that you allowed to act for you.">
      <DataTable
        label="Connections"
        reading={consents}
        columns={columns(setRevoking)}
        keyOf={({ client_id }) => client_id}
        empty={
          <Empty icon={<IconPlugConnected size={32} aria-hidden />}>
            No program may act for you. When one asks and you allow it, it shows here.
          </Empty>
        }
      />
      {revoking && <Revoke consent={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

const columns = (onRevoke: (consent: Consent) => void): Column<Consent>[] => [
  { label: 'Program', text: ({ client_name }) => client_name, cell: ({ client_name }) => client_name },
  timeColumn('Allowed', ({ granted_at }) => granted_at),
  actionsColumn(100, (consent) => (
    <RowButton onClick={() => onRevoke(consent)} label={`Revoke the access of ${consent.client_name}`}>
      Revoke
    </RowButton>
  )),
];

function Revoke({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const revoke = useRevokeConsent();
  return (
    <Confirm
      title={`Revoke the access of ${consent.client_name}?`}
      action="Revoke"
      isDangerous
      doing={revoke}
      onConfirm={() => revoke.mutate(consent.client_id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>It stops working at once. It can ask you again.</Text>
    </Confirm>
  );
}
