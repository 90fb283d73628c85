import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { teams_delete, teams_update } from '@mooring/contract';
import { useNavigate, useParams } from 'react-router';
import { type Team, type TeamRef, useDeleteTeam, useRenameTeam, useTeam } from '../../api/teams.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { pathTo } from '../../paths.ts';
import { TeamApps } from './team-apps.tsx';
import { TeamPeople } from './team-people.tsx';

export default function TeamPage() {
  const { org } = useOrgHere();
  const { team: team_name = '' } = useParams();
  const teamRef = { org_name: org.name, team_name };
  const reading = useTeam(teamRef);
  return (
    <Loaded reading={reading} isPage>
      {(team) => <TeamView team={team} teamRef={teamRef} />}
    </Loaded>
  );
}

function TeamView({ team, teamRef }: { team: Team; teamRef: TeamRef }) {
  const { may, params } = useOrgHere();
  const navigate = useNavigate();
  const [isRenaming, renaming] = useDisclosure();
  const deletion = useDeleteTeam(teamRef);
  const question = useQuestion<Team>({
    title: ({ display_name }) => `Delete ${display_name}?`,
    action: 'Delete',
    loss: () =>
      'Its members stay in the organization, but lose what they could do to apps by this team, from the next request on.',
    doing: {
      ...deletion,
      mutate: () =>
        deletion.mutate(undefined, { onSuccess: () => navigate(pathTo('orgTeams', params), { replace: true }) }),
    },
  });
  return (
    <Page
      title={team.display_name}
      lead={team.description}
      actions={
        <Group gap="sm">
          {may(teams_update) && (
            <Button variant="default" onClick={renaming.open}>
              Rename
            </Button>
          )}
          {may(teams_delete) && (
            <Button variant="default" onClick={() => question.ask(team)}>
              Delete
            </Button>
          )}
        </Group>
      }
    >
      <TeamPeople teamRef={teamRef} />
      <TeamApps teamRef={teamRef} />
      <Dialog opened={isRenaming} onClose={renaming.close} title="Rename the team">
        <RenameTeam team={team} teamRef={teamRef} onClose={renaming.close} />
      </Dialog>
      {question.dialog}
    </Page>
  );
}

function RenameTeam({ team, teamRef, onClose }: { team: Team; teamRef: TeamRef; onClose: () => void }) {
  const rename = useRenameTeam(teamRef);
  return (
    <Form
      action="Save"
      sending={rename}
      onCancel={onClose}
      onSend={(fields) => rename.mutate(fields.text('display_name') ?? '', { onSuccess: onClose })}
    >
      <TextField
        name="display_name"
        label="Display name"
        rule={needed(fieldsOf(teams_update)('display_name'))}
        description="Its name, and so its address, stays."
        defaultValue={team.display_name}
        data-autofocus
      />
    </Form>
  );
}
