import { Select, Stack, Text } from '@mantine/core';
import { adminGroupMappings_create, type OrgRole, orgRoles } from '@mooring/contract';
import {
  type GroupMapping,
  useCreateMapping,
  useDeleteMapping,
  useGroupMappings,
} from '../../api/administration/group-mappings.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';

const rules = getBodyRules(adminGroupMappings_create);

const describe = ({ organization, role, team, distribution_group }: GroupMapping): string =>
  [
    `${organization} (${role})`,
    team && `team ${team}`,
    distribution_group && `distribution group ${distribution_group}`,
  ]
    .filter(Boolean)
    .join(', ');

/** Memberships that groups of a provider stand for. */
export function GroupMappings({ provider }: { provider: string }) {
  const mappings = useGroupMappings(provider);
  const creation = useCreateMapping(provider);
  const deletion = useDeleteMapping(provider);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Applied when people sign in. A membership that a mapping created ends when the person signs in without the
        group.
      </Text>
      <DataTable
        id="group-mappings"
        label="Group mappings"
        query={mappings}
        rowKey={({ id }) => id}
        empty={<Text size="sm">No group mappings yet</Text>}
        columns={[...columns, actions((mapping) => deletion.mutate(mapping))]}
      />
      {deletion.error && <Failure error={deletion.error} title="Couldn't delete the group mapping" />}
      <Form
        action="Add group mapping"
        sending={creation}
        onSend={(fields) => {
          const team = fields.text('team');
          const distribution_group = fields.text('distribution_group');
          creation.mutate({
            group: fields.text('group') ?? '',
            organization: fields.text('organization') ?? '',
            role: (fields.text('role') ?? 'member') as OrgRole,
            ...(team ? { team } : {}),
            ...(distribution_group ? { distribution_group } : {}),
          });
        }}
      >
        <TextField
          name="group"
          label="Group at the provider"
          rule={rules('group')}
          description="Exactly as in the claim. Entra ID sends object IDs."
          autoCapitalize="none"
          spellCheck={false}
        />
        <NameField name="organization" label="Organization" rule={rules('organization')} autoComplete="off" />
        <Select name="role" label="Role" data={[...orgRoles]} defaultValue="member" allowDeselect={false} />
        <NameField name="team" label="Team" rule={{ isRequired: false }} autoComplete="off" />
        <TextField
          name="distribution_group"
          label="Distribution group"
          rule={{ isRequired: false }}
          description="One that the organization shares."
        />
      </Form>
    </Stack>
  );
}

const columns: Column<GroupMapping>[] = [
  { id: 'group', label: 'Group', width: '35%', text: ({ group }) => group, cell: ({ group }) => group },
  { id: 'membership', label: 'Membership', text: describe, cell: describe },
];

const actions = (onDelete: (mapping: GroupMapping) => void): Column<GroupMapping> =>
  actionsColumn(90, (mapping) => (
    <RowButton onClick={() => onDelete(mapping)} label={`Delete mapping of ${mapping.group}`}>
      Delete
    </RowButton>
  ));
