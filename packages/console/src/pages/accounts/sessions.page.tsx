import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Session, useEndSession, useSessions } from '../../api/sessions.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { deviceOf } from './device.ts';

export default function SessionsPage() {
  const sessions = useSessions();
  const [ending, setEnding] = useState<Session>();
  return (
    <Page title="Sessions" lead="Where you are signed in. End those that you do not recognise.">
      <DataTable label="Sessions" reading={sessions} columns={columns(setEnding)} keyOf={({ id }) => id} empty={null} />
      {ending && <EndSession session={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

const columns = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    label: 'Device',
    text: ({ user_agent }) => deviceOf(user_agent),
    cell: (session) => (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} title={session.user_agent}>
          {deviceOf(session.user_agent)}
        </Text>
        {session.is_current && <Badge size="sm">This one</Badge>}
      </Group>
    ),
  },
  { label: 'Address', width: 150, text: ({ address }) => address, cell: ({ address }) => address },
  timeColumn('Signed in', ({ created_at }) => created_at),
  timeColumn('Last seen', ({ last_seen_at }) => last_seen_at),
  timeColumn('Expires', ({ expires_at }) => expires_at, { isSecondary: true }),
  actionsColumn(80, (session) => (
    <RowButton onClick={() => onEnd(session)} label={`End the session of ${deviceOf(session.user_agent)}`}>
      End
    </RowButton>
  )),
];

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const end = useEndSession();
  return (
    <Confirm
      title={session.is_current ? 'Sign out here?' : 'End this session?'}
      action={session.is_current ? 'Sign out' : 'End session'}
      isDangerous
      doing={end}
      onConfirm={() => end.mutate(session.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        {session.is_current
          ? 'This is the session that you are using now; you will have to sign in again.'
          : `${deviceOf(session.user_agent)} at ${session.address} will have to sign in again.`}
      </Text>
    </Confirm>
  );
}
