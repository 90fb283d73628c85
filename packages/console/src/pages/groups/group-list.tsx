import { Badge, Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { GROUP_NAME_MAX } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { type GroupPlace, useCreateGroup, useGroups } from '../../api/groups.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';

export interface GroupListProps {
  title: string;
  lead: string;
  place: GroupPlace;
  /** Where the page of a group is. */
  pathOf: (group: string) => string;
  may: May;
}

export function GroupList({ title, lead, place, pathOf, may }: GroupListProps) {
  const groups = useGroups(place);
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        may(place.needs.create) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New group
          </Button>
        )
      }
    >
      <DataTable
        label={title}
        search="Search groups"
        reading={groups}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconUsersGroup size={32} aria-hidden />}>There are no groups of testers yet.</Empty>}
        columns={[
          {
            label: 'Group',
            text: ({ name, display_name }) => display_name ?? name,
            cell: ({ name, display_name }) => <NameLink to={pathOf(name)}>{display_name ?? name}</NameLink>,
          },
          {
            label: 'Releases',
            width: 180,
            text: ({ is_public }) => (is_public ? 'Public' : 'Members only'),
            cell: ({ is_public }) =>
              is_public ? <Badge color="yellow">Public</Badge> : <Badge color="gray">Members only</Badge>,
          },
        ]}
      />
      <Modal opened={isCreating} onClose={creating.close} title="New group">
        <NewGroup place={place} pathOf={pathOf} onClose={creating.close} />
      </Modal>
    </Page>
  );
}

function NewGroup({ place, pathOf, onClose }: Pick<GroupListProps, 'place' | 'pathOf'> & { onClose: () => void }) {
  const creation = useCreateGroup(place);
  const navigate = useNavigate();
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(fields.text('name') ?? '', {
          onSuccess: ({ name }) => navigate(pathOf(name)),
        })
      }
    >
      <TextInput
        name="name"
        label="Name"
        placeholder="Beta testers"
        required
        maxLength={GROUP_NAME_MAX}
        data-autofocus
      />
    </Form>
  );
}
