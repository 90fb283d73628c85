import { Badge, Button, Modal, Group as Row } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { queries } from '../../api/client.ts';
import {
  type Group,
  type GroupMember,
  type GroupPlace,
  groupKey,
  useDropMember,
  useGroupMembers,
  useResend,
} from '../../api/groups.ts';
import { BulkAddresses } from '../../parts/bulk-addresses.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { List } from '../../parts/list.tsx';
import { Part } from '../../parts/page.tsx';
import { Person } from '../../parts/person.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';

/** How many addresses go in one call, so that progress shows. */
const BATCH = 50;

interface GroupMembersProps {
  place: GroupPlace;
  group: Group;
  canChange: boolean;
}

export function GroupMembers({ place, group, canChange }: GroupMembersProps) {
  const members = useGroupMembers(place, group.name);
  const [isAdding, adding] = useDisclosure();
  const resend = useResend(place, group.name);
  const question = useQuestion<GroupMember>({
    title: ({ email }) => `Remove ${email}?`,
    action: 'Remove',
    loss: ({ email, invite_pending }) =>
      invite_pending
        ? `The invitation of ${email} is taken back: its link no longer works.`
        : `${email} can no longer test by this group, from the next request on.`,
    doing: useDropMember(place, group.name),
  });
  return (
    <Part
      title="Members"
      lead="Testers, by e-mail. Who has access already joins at once; everybody else gets a mail, and is in when they accept."
      actions={
        canChange && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={adding.open}>
            Add people
          </Button>
        )
      }
    >
      {resend.error && <Failure error={resend.error} title="The invitation was not sent again" />}
      <List
        label="Members"
        reading={members}
        keyOf={({ email }) => email}
        empty={<Empty icon={<IconUsers size={32} aria-hidden />}>Nobody is in the group yet.</Empty>}
        columns={[
          ...facts,
          ...(canChange ? [actions({ onRemove: question.ask, onResend: (member) => resend.mutate(member) })] : []),
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title="Add people" size="lg" closeOnClickOutside={false}>
        <BulkAddresses
          action={(count) => (count > 1 ? `Add ${count.toLocaleString()} people` : 'Add')}
          done="added"
          batch={BATCH}
          send={async (emails) =>
            (await place.add(group.name, emails)).map(({ user_email, status, message }, index) => ({
              email: user_email ?? emails[index] ?? '',
              refusal: status === 200 ? undefined : (message ?? `Refused (${status}).`),
            }))
          }
          onSent={() => queries.invalidateQueries({ queryKey: groupKey(place, group.name) })}
          onClose={adding.close}
        />
      </Modal>
      {question.dialog}
    </Part>
  );
}

const facts: Column<GroupMember>[] = [
  {
    label: 'Person',
    cell: ({ name, display_name, email }) => (
      <Person person={{ name: name ?? email, display_name: display_name ?? email, email }} />
    ),
  },
  {
    label: 'State',
    isWhole: true,
    cell: ({ invite_pending }) =>
      invite_pending ? <Badge color="yellow">Invited</Badge> : <Badge color="gray">Member</Badge>,
  },
];

interface ActionsOf {
  onRemove: (member: GroupMember) => void;
  onResend: (member: GroupMember) => void;
}

const actions = ({ onRemove, onResend }: ActionsOf): Column<GroupMember> => ({
  label: 'Actions',
  header: '',
  isTight: true,
  isWide: true,
  cell: (member) => (
    <Row gap={6} wrap="nowrap" justify="flex-end">
      {member.invite_pending && (
        <RowButton label={`Send again: ${member.email}`} onClick={() => onResend(member)}>
          Send again
        </RowButton>
      )}
      <RowButton label={`Remove ${member.email}`} onClick={() => onRemove(member)}>
        Remove
      </RowButton>
    </Row>
  ),
});
