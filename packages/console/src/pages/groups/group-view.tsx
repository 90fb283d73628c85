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
} from '../../api/organizations/groups.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import type { PermissionCheck } from '../../context/permissions.ts';
import { GroupMembers } from './group-members.tsx';

interface GroupViewProps {
  operations: GroupOperations;
  name: string;
  listPath: string;
  getPath: (group: string) => string;
  can: PermissionCheck;
  /** True for the collaborators group, which can't be renamed, deleted or edited. */
  collaboratorsId?: string;
  /** Further sections. */
  children?: ReactNode;
}

export function GroupView(props: GroupViewProps) {
  const query = useGroup(props.operations, props.name);
  return (
    <QueryBoundary query={query} isPage>
      {(group) => <View {...props} group={group} />}
    </QueryBoundary>
  );
}

function View({
  operations,
  listPath,
  getPath,
  can,
  collaboratorsId,
  group,
  children,
}: GroupViewProps & { group: Group }) {
  const isCollaborators = group.id === collaboratorsId;
  const canChange = can(operations.needs.change) && !isCollaborators;
  const navigate = useNavigate();
  const [isChanging, changing] = useDisclosure();
  const deletion = useDeleteGroup(operations);
  const confirmation = useConfirm<Group>({
    title: ({ name }) => `Delete group ${name}?`,
    action: 'Delete group',
    consequence: () =>
      'Members immediately lose tester access through this group, and pending invitations are deleted. This cannot be undone.',
    openDialog: {
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
      description={
        group.is_public
          ? 'Public: anyone with the link can download releases without signing in.'
          : 'Only members can download releases.'
      }
      actions={
        canChange && (
          <Row gap="sm">
            <Button variant="default" onClick={changing.open}>
              Edit group
            </Button>
            <Button variant="default" onClick={() => confirmation.open(group)}>
              Delete group
            </Button>
          </Row>
        )
      }
    >
      {can(operations.needs.members) && (
        <GroupMembers
          operations={operations}
          group={group}
          canChange={canChange}
          description={isCollaborators ? "Members are the app's collaborators and can't be edited here." : undefined}
        />
      )}
      {children}
      <Dialog opened={isChanging} onClose={changing.close} title="Edit group">
        <ChangeGroup operations={operations} getPath={getPath} group={group} onClose={changing.close} />
      </Dialog>
      {confirmation.dialog}
    </Page>
  );
}

interface ChangeGroupProps {
  operations: GroupOperations;
  getPath: (group: string) => string;
  group: Group;
  onClose: () => void;
}

function ChangeGroup({ operations, getPath, group, onClose }: ChangeGroupProps) {
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
              if (name !== group.name) void navigate(getPath(name), { replace: true });
              else void queries.invalidateQueries({ queryKey: groupKey(operations, name), exact: true });
            },
          },
        )
      }
    >
      <TextField
        name="name"
        label="Name"
        rule={getBodyRules(distributionGroups_create)('name')}
        description="Part of the group's URL."
        defaultValue={group.name}
        data-autofocus
      />
      <Switch
        name="is_public"
        label="Public"
        description="Anyone with the link can download releases without signing in."
        defaultChecked={group.is_public}
      />
    </Form>
  );
}
