import { Button, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { type Consent, useConsents, useRevokeConsent } from '../../api/oauth.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

export default function ConnectionsPage() {
  const consents = useConsents();
  const [revoking, setRevoking] = useState<Consent>();
  return (
    <Page title="Connections" lead="Programs that you allowed to act for you.">
      <Loaded reading={consents}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<IconPlugConnected size={32} aria-hidden />}>
              No program may act for you. When one asks and you allow it, it shows here.
            </Empty>
          ) : (
            <DataTable
              label="Connections"
              columns={columns(setRevoking)}
              rows={rows}
              keyOf={({ client_id }) => client_id}
            />
          )
        }
      </Loaded>
      {revoking && <Revoke consent={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

const columns = (onRevoke: (consent: Consent) => void): Column<Consent>[] => [
  { label: 'Program', cell: ({ client_name }) => client_name },
  { label: 'Allowed', isWhole: true, cell: ({ granted_at }) => <Time at={granted_at} /> },
  {
    label: 'Actions',
    header: '',
    isTight: true,
    cell: (consent) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => onRevoke(consent)}
        aria-label={`Take back what ${consent.client_name} may do`}
      >
        Take back
      </Button>
    ),
  },
];

function Revoke({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const revoke = useRevokeConsent();
  return (
    <Confirm
      title={`Take back what ${consent.client_name} may do?`}
      action="Take back"
      isDangerous
      doing={revoke}
      onConfirm={() => revoke.mutate(consent.client_id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>It stops working at once. It can ask you again.</Text>
    </Confirm>
  );
}
