import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { teams_createTeam } from '@mooring/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useArrangedTeams, useCreateTeam } from '../../api/teams.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { pathTo } from '../../paths.ts';

export default function TeamsPage() {
  const { org, params, may } = useOrgHere();
  const teams = useArrangedTeams(org.name, useListQuery(['display_name']));
  const [isCreating, creating] = useDisclosure();
  return (
    <Page
      title="Teams"
      lead="A team gives its members a role on each of its apps."
      actions={
        may(teams_createTeam) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New team
          </Button>
        )
      }
    >
      <DataTable
        label="Teams"
        search="Search teams"
        isServers
        reading={teams}
        keyOf={({ id }) => id}
        empty={
          may(teams_createTeam) ? (
            <Empty
              icon={<IconUsersGroup size={32} aria-hidden />}
              action={<Button onClick={creating.open}>Create a team</Button>}
            >
              {org.display_name} has no teams yet.
            </Empty>
          ) : (
            <Empty icon={<IconUsersGroup size={32} aria-hidden />}>
              {org.display_name} has no teams yet. An admin can create one.
            </Empty>
          )
        }
        columns={[
          {
            label: 'Team',
            sort: 'display_name',
            text: ({ display_name }) => display_name,
            cell: ({ name, display_name }) => (
              <NameLink to={pathTo('orgTeam', { ...params, team: name })}>{display_name}</NameLink>
            ),
          },
          {
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

const rules = fieldsOf(teams_createTeam);

function NewTeam({ onClose }: { onClose: () => void }) {
  const { org, params } = useOrgHere();
  const creation = useCreateTeam(org.name);
  const navigate = useNavigate();
  return (
    <Form
      action="Create"
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
