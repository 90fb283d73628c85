import { Badge, Group } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import {
  type Invitation,
  type Invitations,
  useArrangedInvitations,
  useChangeInvitation,
  useResendInvitation,
  useRevokeInvitation,
} from '../../api/invitations.ts';
import { Choice } from '../../parts/choice.tsx';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { Time } from '../../parts/time.tsx';

interface InvitationListProps<Role extends string> {
  invitations: Invitations<Role>;
  words: Record<Role, string>;
}

/** Open invitations of an app or an organization, for whoever may change them. */
export function InvitationList<Role extends string>({ invitations, words }: InvitationListProps<Role>) {
  const reading = useArrangedInvitations(invitations, useListQuery(['email', 'role', 'expires_at'], 'invitations'));
  const change = useChangeInvitation(invitations);
  const resend = useResendInvitation(invitations);
  const revocation = useRevokeInvitation(invitations);
  const question = useQuestion<Invitation<Role>>({
    title: ({ email }) => `Revoke the invitation of ${email}?`,
    action: 'Revoke',
    loss: () => 'Its link no longer works. They can be invited again.',
    doing: { ...revocation, mutate: ({ email }, options) => revocation.mutate(email, options) },
  });
  return (
    <>
      {change.error && <Failure error={change.error} title="The invitation stays as it is" />}
      {resend.error && <Failure error={resend.error} title="The invitation was not sent again" />}
      <DataTable
        label="Invitations"
        name="invitations"
        search="Search invitations"
        isServers
        reading={reading}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconMail size={32} aria-hidden />}>No invitation is open.</Empty>}
        columns={[
          { label: 'E-mail', sort: 'email', text: ({ email }) => email, cell: ({ email }) => email },
          {
            label: 'Role',
            sort: 'role',
            width: 170,
            text: ({ role }) => role,
            cell: ({ email, role }) => (
              <Choice
                isShort
                words={words}
                value={role}
                onChange={(chosen) => change.mutate({ email, role: chosen })}
                aria-label={`Role of ${email}`}
              />
            ),
          },
          {
            label: 'Expires',
            sort: 'expires_at',
            width: 200,
            onPhone: 'label',
            text: ({ expires_at }) => expires_at,
            cell: (invitation) => <Until invitation={invitation} />,
          },
          actionsColumn<Invitation<Role>>(180, (invitation) => (
            <>
              <RowButton
                loading={resend.isPending && resend.variables.id === invitation.id}
                onClick={() => resend.mutate(invitation)}
                label={`Send again: ${invitation.email}`}
              >
                Send again
              </RowButton>
              <RowButton onClick={() => question.ask(invitation)} label={`Revoke: ${invitation.email}`}>
                Revoke
              </RowButton>
            </>
          )),
        ]}
      />
      {question.dialog}
    </>
  );
}

const Until = ({ invitation }: { invitation: Invitation<string> }) => (
  <Group gap="xs" wrap="nowrap">
    <Time at={invitation.expires_at} />
    {Date.parse(invitation.expires_at) <= Date.now() && (
      <Badge size="sm" color="red">
        expired
      </Badge>
    )}
  </Group>
);
