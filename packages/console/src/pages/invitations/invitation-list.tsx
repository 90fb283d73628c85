import { Badge, Group } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import {
  type Invitation,
  type Invitations,
  useChangeInvitation,
  useInvitations,
  useResendInvitation,
  useRevokeInvitation,
} from '../../api/invitations.ts';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { List } from '../../parts/list.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { Time } from '../../parts/time.tsx';

interface InvitationListProps<Role extends string> {
  invitations: Invitations<Role>;
  words: Record<Role, string>;
}

/** Open invitations of an app or an organization, for whoever may change them. */
export function InvitationList<Role extends string>({ invitations, words }: InvitationListProps<Role>) {
  const reading = useInvitations(invitations);
  const change = useChangeInvitation(invitations);
  const resend = useResendInvitation(invitations);
  const revocation = useRevokeInvitation(invitations);
  const question = useQuestion<Invitation<Role>>({
    title: ({ email }) => `Take the invitation of ${email} back?`,
    action: 'Take back',
    loss: () => 'Its link no longer works. They can be invited again.',
    doing: { ...revocation, mutate: ({ email }, options) => revocation.mutate(email, options) },
  });
  return (
    <>
      {change.error && <Failure error={change.error} title="The invitation stays as it is" />}
      {resend.error && <Failure error={resend.error} title="The invitation was not sent again" />}
      <List
        label="Invitations"
        reading={reading}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconMail size={32} aria-hidden />}>No invitation is open.</Empty>}
        columns={[
          { label: 'E-mail', cell: ({ email }) => email },
          {
            label: 'As',
            isWhole: true,
            cell: ({ email, role }) => (
              <Choice
                isShort
                words={words}
                value={role}
                onChange={(chosen) => change.mutate({ email, role: chosen })}
                aria-label={`Invitation of ${email} as`}
              />
            ),
          },
          { label: 'Until', isWhole: true, cell: (invitation) => <Until invitation={invitation} /> },
          {
            label: 'Actions',
            header: '',
            isTight: true,
            isWide: true,
            cell: (invitation) => (
              <Group gap={6} wrap="nowrap">
                <RowButton
                  loading={resend.isPending && resend.variables.id === invitation.id}
                  onClick={() => resend.mutate(invitation)}
                  label={`Send again: ${invitation.email}`}
                >
                  Send again
                </RowButton>
                <RowButton onClick={() => question.ask(invitation)} label={`Take back: ${invitation.email}`}>
                  Take back
                </RowButton>
              </Group>
            ),
          },
        ]}
      />
      {question.dialog}
    </>
  );
}

const Until = ({ invitation }: { invitation: Invitation<string> }) => (
  <Group gap="xs">
    <Time at={invitation.expires_at} />
    {Date.parse(invitation.expires_at) <= Date.now() && (
      <Badge size="sm" color="red">
        expired
      </Badge>
    )}
  </Group>
);
