import { Button, Group as Row, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { distributionGroups_create } from '@mooring/contract';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '../../api/client.ts';
import {
  type Group,
  type GroupOperations,
  groupKey,
  useChangeGroup,
  useDeleteGroup,
  useGroup,
} from '../../api/groups.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { GroupMembers } from './group-members.tsx';

interface GroupViewProps {
  operations: GroupOperations;
  name: string;
  listPath: string;
  pathOf: (group: string) => string;
  may: May;
  /** The group of the app's collaborators, which cannot be renamed, deleted or given other members. */
  collaboratorsId?: string;
  /** What else belongs to the group here. */
  children?: ReactNode;
}

export function GroupView(props: GroupViewProps) {
  const reading = useGroup(props.operations, props.name);
  return (
    <Loaded reading={reading} isPage>
      {(group) => <View {...props} group={group} />}
    </Loaded>
  );
}

function View({
  operations,
  listPath,
  pathOf,
  may,
  collaboratorsId,
  group,
  children,
}: GroupViewProps & { group: Group }) {
  const isCollaborators = group.id === collaboratorsId;
  const canChange = may(operations.needs.change) && !isCollaborators;
  const navigate = useNavigate();
  const [isChanging, changing] = useDisclosure();
  const deletion = useDeleteGroup(operations);
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
            queries.removeQueries({ queryKey: operations.key });
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
        canChange && (
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
      {may(operations.needs.members) && (
        <GroupMembers
          operations={operations}
          group={group}
          canChange={canChange}
          lead={isCollaborators ? "Members follow the app's collaborators." : undefined}
        />
      )}
      {children}
      <Dialog opened={isChanging} onClose={changing.close} title="Change the group">
        <ChangeGroup operations={operations} pathOf={pathOf} group={group} onClose={changing.close} />
      </Dialog>
      {question.dialog}
    </Page>
  );
}

interface ChangeGroupProps {
  operations: GroupOperations;
  pathOf: (group: string) => string;
  group: Group;
  onClose: () => void;
}

function ChangeGroup({ operations, pathOf, group, onClose }: ChangeGroupProps) {
  const change = useChangeGroup(operations, group.name);
  const navigate = useNavigate();
  return (
    <Form
      action="Save"
      sending={change}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        change.mutate(
          { name: fields.text('name'), is_public: fields.isOn('is_public') },
          {
            onSuccess: ({ name }) => {
              onClose();
              void queries.invalidateQueries({ queryKey: operations.key, exact: true });
              if (name !== group.name) void navigate(pathOf(name), { replace: true });
              else void queries.invalidateQueries({ queryKey: groupKey(operations, name), exact: true });
            },
          },
        )
      }
    >
      <TextField
        name="name"
        label="Name"
        rule={fieldsOf(distributionGroups_create)('name')}
        description="Part of its address."
        defaultValue={group.name}
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
