import { Button, Modal, Group as Row, Switch, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { GROUP_NAME_MAX } from '@mooring/contract';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '../../api/client.ts';
import { type Group, type GroupPlace, groupKey, useChangeGroup, useDeleteGroup, useGroup } from '../../api/groups.ts';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { GroupMembers } from './group-members.tsx';

interface GroupViewProps {
  place: GroupPlace;
  name: string;
  listPath: string;
  pathOf: (group: string) => string;
  may: May;
  /** What else belongs to the group here. */
  children?: ReactNode;
}

export function GroupView(props: GroupViewProps) {
  const reading = useGroup(props.place, props.name);
  return (
    <Loaded reading={reading} isPage>
      {(group) => <View {...props} group={group} />}
    </Loaded>
  );
}

function View({ place, listPath, pathOf, may, group, children }: GroupViewProps & { group: Group }) {
  const navigate = useNavigate();
  const [isChanging, changing] = useDisclosure();
  const deletion = useDeleteGroup(place);
  const question = useQuestion<Group>({
    title: ({ name }) => `Delete ${name}?`,
    action: 'Delete',
    loss: () =>
      'Its members can no longer test by it, from the next request on, and open invitations to it are lost. This cannot be undone.',
    doing: {
      ...deletion,
      mutate: ({ name }) =>
        deletion.mutate(name, {
          onSuccess: () => {
            void navigate(listPath, { replace: true });
            queries.removeQueries({ queryKey: place.key });
          },
        }),
    },
  });
  return (
    <Page
      title={group.display_name ?? group.name}
      lead={
        group.is_public
          ? 'Its releases may be fetched by anybody who has the link, without signing in.'
          : 'Its releases are for its members only.'
      }
      actions={
        may(place.needs.change) && (
          <Row gap="sm">
            <Button variant="default" onClick={changing.open}>
              Change
            </Button>
            <Button variant="default" onClick={() => question.ask(group)}>
              Delete
            </Button>
          </Row>
        )
      }
    >
      {may(place.needs.members) && <GroupMembers place={place} group={group} canChange={may(place.needs.change)} />}
      {children}
      <Modal opened={isChanging} onClose={changing.close} title="Change the group">
        <ChangeGroup place={place} pathOf={pathOf} group={group} onClose={changing.close} />
      </Modal>
      {question.dialog}
    </Page>
  );
}

interface ChangeGroupProps {
  place: GroupPlace;
  pathOf: (group: string) => string;
  group: Group;
  onClose: () => void;
}

function ChangeGroup({ place, pathOf, group, onClose }: ChangeGroupProps) {
  const change = useChangeGroup(place, group.name);
  const navigate = useNavigate();
  return (
    <Form
      action="Save"
      sending={change}
      onCancel={onClose}
      onSend={(fields) =>
        change.mutate(
          { name: fields.text('name'), is_public: fields.isOn('is_public') },
          {
            onSuccess: ({ name }) => {
              onClose();
              void queries.invalidateQueries({ queryKey: place.key, exact: true });
              if (name !== group.name) void navigate(pathOf(name), { replace: true });
              else void queries.invalidateQueries({ queryKey: groupKey(place, name), exact: true });
            },
          },
        )
      }
    >
      <TextInput
        name="name"
        label="Name"
        description="Part of its address."
        defaultValue={group.name}
        required
        maxLength={GROUP_NAME_MAX}
        data-autofocus
      />
      <Switch
        name="is_public"
        label="Public"
        description="Its releases may be fetched without signing in."
        defaultChecked={group.is_public}
      />
    </Form>
  );
}
