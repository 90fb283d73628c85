import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { teams_createTeam } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useArrangedTeams, useCreateTeam } from '../../api/organizations/teams.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

export default function TeamsPage() {
  const { org, params, can } = useCurrentOrg();
  const teams = useArrangedTeams(org.name, useListQuery(['display_name']));
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Teams"
      description="Team members share a role on each of the team's apps."
      actions={
        can(teams_createTeam) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New team
          </Button>
        )
      }
    >
      <DataTable
        id="teams"
        label="Teams"
        search="Search teams"
        isServers
        query={teams}
        rowKey={({ id }) => id}
        empty={
          can(teams_createTeam) ? (
            <EmptyState
              icon={<IconUsersGroup size={32} aria-hidden />}
              action={<Button onClick={creating.open}>Create team</Button>}
            >
              No teams yet
            </EmptyState>
          ) : (
            <EmptyState icon={<IconUsersGroup size={32} aria-hidden />}>
              No teams yet. Ask an admin to create one.
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'display_name',
            label: 'Team',
            sort: 'display_name',
            text: ({ display_name }) => display_name,
            cell: ({ name, display_name }) => (
              <NameLink to={pathTo('orgTeam', { ...params, team: name })}>{display_name}</NameLink>
            ),
          },
          {
            id: 'description',
            label: 'Description',
            text: ({ description }) => description,
            cell: ({ description }) => description ?? '—',
          },
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New team">
        <NewTeam onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

const rules = getBodyRules(teams_createTeam);

function NewTeam({ onClose }: { onClose: () => void }) {
  const { org, params } = useCurrentOrg();
  const creation = useCreateTeam(org.name);
  const navigate = useNavigate();
  return (
    <Form
      action="Create team"
      sending={creation}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(
          {
            display_name: fields.text('display_name') ?? '',
            name: fields.text('name'),
            description: fields.text('description'),
          },
          { onSuccess: ({ name }) => navigate(pathTo('orgTeam', { ...params, team: name })) },
        )
      }
    >
      <TextField name="display_name" label="Display name" rule={rules('display_name')} data-autofocus />
      <NameField name="name" label="Name" rule={rules('name')} />
      <LongTextField name="description" label="Description" rule={rules('description')} />
    </Form>
  );
}
