import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Session, useEndSession, useSessions } from '../../api/account/sessions.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { formatDevice } from './device.ts';

export default function SessionsPage() {
  const sessions = useSessions();
  const [ending, setEnding] = useState<Session>();
  return (
    <Page title="Sessions" description="Devices where you are signed in. End any session you don't recognize.">
      <DataTable
        id="accounts-sessions"
        label="Sessions"
        query={sessions}
        columns={columns(setEnding)}
        rowKey={({ id }) => id}
        empty={null}
      />
      {ending && <EndSession session={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

const columns = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'device',
    label: 'Device',
    text: ({ user_agent }) => formatDevice(user_agent),
    cell: (session) => (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} title={session.user_agent}>
          {formatDevice(session.user_agent)}
        </Text>
        {session.is_current && <Badge size="sm">This session</Badge>}
      </Group>
    ),
  },
  { id: 'ip_address', label: 'IP address', width: 150, text: ({ address }) => address, cell: ({ address }) => address },
  timeColumn('signed_in', 'Signed in', ({ created_at }) => created_at),
  timeColumn('last_seen', 'Last seen', ({ last_seen_at }) => last_seen_at),
  timeColumn('expires', 'Expires', ({ expires_at }) => expires_at, { isSecondary: true }),
  actionsColumn(80, (session) => (
    <RowButton onClick={() => onEnd(session)} label={`End session: ${formatDevice(session.user_agent)}`}>
      End
    </RowButton>
  )),
];

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const end = useEndSession();
  return (
    <ConfirmDialog
      title={session.is_current ? 'Sign out?' : 'End session?'}
      action={session.is_current ? 'Sign out' : 'End session'}
      isDangerous
      mutation={end}
      onConfirm={() => end.mutate(session.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        {session.is_current
          ? 'This is your current session. You will have to sign in again.'
          : `${formatDevice(session.user_agent)} at ${session.address} will have to sign in again.`}
      </Text>
    </ConfirmDialog>
  );
}
