import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { queries } from '../../api/client.ts';
import {
  type Group,
  type GroupMember,
  type GroupOperations,
  groupKey,
  useDropMember,
  useGroupMembers,
  useResend,
} from '../../api/organizations/groups.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { BulkAddresses } from '../../components/forms/bulk-addresses.tsx';
import { Section } from '../../components/layout/page.tsx';
import { actionsColumn, userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';

/** Addresses per request, small enough to show progress. */
const BATCH = 50;

interface GroupMembersProps {
  operations: GroupOperations;
  group: Group;
  canChange: boolean;
  description?: string | undefined;
}

export function GroupMembers({
  operations,
  group,
  canChange,
  description = 'Testers in this group. New testers get an invitation by email.',
}: GroupMembersProps) {
  const { values, bar } = useFilters([{ name: 'status', label: 'Status', kind: 'choice', choices: statuses }]);
  const members = useGroupMembers(operations, group.name, {
    ...useListQuery(['email', 'display_name']),
    ...(values.status ? { invite_pending: values.status === 'invited' } : {}),
  });
  const [isAdding, adding] = useDisclosure();
  const resend = useResend(operations, group.name);
  const confirmation = useConfirm<GroupMember>({
    title: ({ email }) => `Remove member ${email}?`,
    action: 'Remove member',
    consequence: ({ email, invite_pending }) =>
      invite_pending
        ? `Revokes the invitation of ${email}. Its link stops working.`
        : `${email} immediately loses tester access through this group.`,
    openDialog: useDropMember(operations, group.name),
  });
  return (
    <Section
      title="Members"
      description={description}
      actions={
        canChange && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={adding.open}>
            Add people
          </Button>
        )
      }
    >
      {resend.error && <Failure error={resend.error} title="Couldn't resend the invitation" />}
      <DataTable
        id="group-members"
        label="Members"
        search="Search members"
        filters={bar}
        isServers
        query={members}
        rowKey={({ email }) => email}
        empty={
          <EmptyState
            icon={<IconUsers size={32} aria-hidden />}
            action={canChange && <Button onClick={adding.open}>Add people</Button>}
          >
            No members yet
          </EmptyState>
        }
        columns={[
          ...columns,
          ...(canChange
            ? [
                actionsColumn<GroupMember>(180, (member) => (
                  <>
                    {member.invite_pending && (
                      <RowButton label={`Resend invitation to ${member.email}`} onClick={() => resend.mutate(member)}>
                        Resend
                      </RowButton>
                    )}
                    <RowButton label={`Remove ${member.email}`} onClick={() => confirmation.open(member)}>
                      Remove
                    </RowButton>
                  </>
                )),
              ]
            : []),
        ]}
      />
      <Dialog opened={isAdding} onClose={adding.close} title="Add people" size="lg">
        <BulkAddresses
          action={(count) => (count > 1 ? `Add ${count.toLocaleString()} people` : 'Add person')}
          done="added"
          batch={BATCH}
          send={async (emails) =>
            (await operations.add(group.name, emails)).map(({ user_email, status, message }, index) => ({
              email: user_email ?? emails[index] ?? '',
              refusal: status === 200 ? undefined : (message ?? `Failed (${status}).`),
            }))
          }
          onSent={() => queries.invalidateQueries({ queryKey: groupKey(operations, group.name) })}
          onClose={adding.close}
        />
      </Dialog>
      {confirmation.dialog}
    </Section>
  );
}

const statuses = [
  { value: 'invited', label: 'Invited' },
  { value: 'member', label: 'Member' },
];

const columns: Column<GroupMember>[] = [
  ...userColumns<GroupMember>(
    ({ name, display_name, email }) => ({
      name: name ?? email,
      display_name: display_name ?? email,
      email,
    }),
    { name: 'display_name', email: 'email' },
  ),
  {
    id: 'status',
    label: 'Status',
    width: 120,
    text: ({ invite_pending }) => (invite_pending ? 'Invited' : 'Member'),
    cell: ({ invite_pending }) =>
      invite_pending ? <Badge color="yellow">Invited</Badge> : <Badge color="gray">Member</Badge>,
  },
];
