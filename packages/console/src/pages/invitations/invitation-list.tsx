import { Badge, Group } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import {
  type Invitation,
  type Invitations,
  useArrangedInvitations,
  useChangeInvitation,
  useResendInvitation,
  useRevokeInvitation,
} from '../../api/account/invitations.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { Time } from '../../components/text/time.tsx';

interface InvitationListProps<Role extends string> {
  invitations: Invitations<Role>;
  labels: Record<Role, string>;
}

/** Pending invitations of an app or organization. */
export function InvitationList<Role extends string>({ invitations, labels }: InvitationListProps<Role>) {
  const query = useArrangedInvitations(invitations, useListQuery(['email', 'role', 'expires_at'], 'invitations'));
  const change = useChangeInvitation(invitations);
  const resend = useResendInvitation(invitations);
  const revocation = useRevokeInvitation(invitations);
  const confirmation = useConfirm<Invitation<Role>>({
    title: ({ email }) => `Revoke invitation of ${email}?`,
    action: 'Revoke invitation',
    consequence: () => 'The link stops working. You can invite this person again.',
    openDialog: { ...revocation, mutate: ({ email }, options) => revocation.mutate(email, options) },
  });
  return (
    <>
      {change.error && <Failure error={change.error} title="Couldn't change the invitation" />}
      {resend.error && <Failure error={resend.error} title="Couldn't resend the invitation" />}
      <DataTable
        id="invitation-list"
        label="Invitations"
        name="invitations"
        search="Search invitations"
        isServers
        query={query}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconMail size={32} aria-hidden />}>No pending invitations</EmptyState>}
        columns={[
          { id: 'email', label: 'Email', sort: 'email', text: ({ email }) => email, cell: ({ email }) => email },
          {
            id: 'role',
            label: 'Role',
            sort: 'role',
            width: 170,
            text: ({ role }) => role,
            cell: ({ email, role }) => (
              <LabeledSelect
                isShort
                labels={labels}
                value={role}
                onChange={(chosen) => change.mutate({ email, role: chosen })}
                aria-label={`Role of ${email}`}
              />
            ),
          },
          {
            id: 'expires_at',
            label: 'Expires',
            sort: 'expires_at',
            width: 200,
            mobileDisplay: 'label',
            text: ({ expires_at }) => expires_at,
            cell: (invitation) => <Until invitation={invitation} />,
          },
          actionsColumn<Invitation<Role>>(180, (invitation) => (
            <>
              <RowButton
                loading={resend.isPending && resend.variables.id === invitation.id}
                onClick={() => resend.mutate(invitation)}
                label={`Resend invitation to ${invitation.email}`}
              >
                Resend
              </RowButton>
              <RowButton
                onClick={() => confirmation.open(invitation)}
                label={`Revoke invitation of ${invitation.email}`}
              >
                Revoke
              </RowButton>
            </>
          )),
        ]}
      />
      {confirmation.dialog}
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
