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
} from '../../api/groups.ts';
import { BulkAddresses } from '../../parts/bulk-addresses.tsx';
import { actionsColumn, personColumns } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { Part } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';

/** How many addresses go in one call, so that progress shows. */
const BATCH = 50;

interface GroupMembersProps {
  operations: GroupOperations;
  group: Group;
  canChange: boolean;
  lead?: string | undefined;
}

export function GroupMembers({
  operations,
  group,
  canChange,
  lead = 'Testers. Who has no access yet gets a mail to accept.',
}: GroupMembersProps) {
  const { values, bar } = useFilters([{ name: 'status', label: 'Status', kind: 'choice', choices: statuses }]);
  const members = useGroupMembers(operations, group.name, {
    ...useListQuery(['email', 'display_name']),
    ...(values.status ? { invite_pending: values.status === 'invited' } : {}),
  });
  const [isAdding, adding] = useDisclosure();
  const resend = useResend(operations, group.name);
  const question = useQuestion<GroupMember>({
    title: ({ email }) => `Remove ${email}?`,
    action: 'Remove',
    loss: ({ email, invite_pending }) =>
      invite_pending
        ? `The invitation of ${email} is taken back: its link no longer works.`
        : `${email} can no longer test by this group, from the next request on.`,
    doing: useDropMember(operations, group.name),
  });
  return (
    <Part
      title="Members"
      lead={lead}
      actions={
        canChange && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={adding.open}>
            Add people
          </Button>
        )
      }
    >
      {resend.error && <Failure error={resend.error} title="The invitation was not sent again" />}
      <DataTable
        label="Members"
        search="Search members"
        filters={bar}
        isServers
        reading={members}
        keyOf={({ email }) => email}
        empty={
          <Empty
            icon={<IconUsers size={32} aria-hidden />}
            action={canChange && <Button onClick={adding.open}>Add the first people</Button>}
          >
            Nobody is in the group yet.
          </Empty>
        }
        columns={[
          ...columns,
          ...(canChange
            ? [
                actionsColumn<GroupMember>(180, (member) => (
                  <>
                    {member.invite_pending && (
                      <RowButton label={`Send again: ${member.email}`} onClick={() => resend.mutate(member)}>
                        Send again
                      </RowButton>
                    )}
                    <RowButton label={`Remove ${member.email}`} onClick={() => question.ask(member)}>
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
          action={(count) => (count > 1 ? `Add ${count.toLocaleString()} people` : 'Add')}
          done="added"
          batch={BATCH}
          send={async (emails) =>
            (await operations.add(group.name, emails)).map(({ user_email, status, message }, index) => ({
              email: user_email ?? emails[index] ?? '',
              refusal: status === 200 ? undefined : (message ?? `Refused (${status}).`),
            }))
          }
          onSent={() => queries.invalidateQueries({ queryKey: groupKey(operations, group.name) })}
          onClose={adding.close}
        />
      </Dialog>
      {question.dialog}
    </Part>
  );
}

const statuses = [
  { value: 'invited', label: 'Invited' },
  { value: 'member', label: 'Member' },
];

const columns: Column<GroupMember>[] = [
  ...personColumns<GroupMember>(
    ({ name, display_name, email }) => ({
      name: name ?? email,
      display_name: display_name ?? email,
      email,
    }),
    { name: 'display_name', email: 'email' },
  ),
  {
    label: 'Status',
    width: 120,
    text: ({ invite_pending }) => (invite_pending ? 'Invited' : 'Member'),
    cell: ({ invite_pending }) =>
      invite_pending ? <Badge color="yellow">Invited</Badge> : <Badge color="gray">Member</Badge>,
  },
];
