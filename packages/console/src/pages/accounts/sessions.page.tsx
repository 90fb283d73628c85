import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Session, useEndSession, useSessions } from '../../api/sessions.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { deviceOf } from './device.ts';

export default function SessionsPage() {
  const sessions = useSessions();
  const [ending, setEnding] = useState<Session>();
  return (
    <Page title="Sessions" lead="Where you are signed in. End those that you do not recognise or no longer use.">
      <Loaded reading={sessions}>
        {(rows) => <DataTable label="Sessions" columns={columns(setEnding)} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
      {ending && <EndSession session={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  );
}

const columns = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    label: 'Device',
    cell: (session) => (
      <Group gap="xs">
        <Text size="sm" fw={600} title={session.user_agent}>
          {deviceOf(session.user_agent)}
        </Text>
        {session.is_current && <Badge size="sm">This one</Badge>}
      </Group>
    ),
  },
  { label: 'Address', isWhole: true, cell: ({ address }) => address },
  { label: 'Signed in', isWhole: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Last seen', isWhole: true, cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { label: 'Expires', isWhole: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    label: 'Actions',
    header: '',
    isTight: true,
    cell: (session) => (
      <RowButton onClick={() => onEnd(session)} label={`End the session of ${deviceOf(session.user_agent)}`}>
        End
      </RowButton>
    ),
  },
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
