import { Button, Group, Paper, Text } from '@mantine/core';
import { organizations_update } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '../../api/client.ts';
import { orgKey, useDeleteOrg, useSetOrgAvatar, useUpdateOrg } from '../../api/orgs.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { ImageChoice } from '../../parts/image-choice.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { paths, pathTo } from '../../paths.ts';
import { KeptReleasesOfOrg } from './kept-releases.tsx';

const rules = fieldsOf(organizations_update);

export default function OrgSettingsPage() {
  const { org } = useOrgHere();
  const update = useUpdateOrg(org.name);
  const navigate = useNavigate();
  return (
    <Page title="Settings">
      <Paper withBorder p="lg" maw={720}>
        <Form
          action="Save"
          sending={update}
          conflict="name"
          done={update.isSuccess && 'Saved.'}
          onSend={(fields) =>
            update.mutate(
              { display_name: fields.text('display_name'), name: fields.text('name') },
              {
                onSuccess: ({ name }) =>
                  name !== org.name && void navigate(pathTo('orgSettings', { org: name }), { replace: true }),
              },
            )
          }
        >
          <TextField
            name="display_name"
            label="Display name"
            rule={needed(rules('display_name'))}
            defaultValue={org.display_name}
          />
          <NameField
            name="name"
            label="Name"
            rule={needed(rules('name'))}
            description="Part of the address of all its apps. Reading under the old name goes on working; changes need the new one."
            defaultValue={org.name}
          />
        </Form>
      </Paper>
      <OrgAvatar />
      <KeptReleasesOfOrg />
      <DeleteOrg />
    </Page>
  );
}

function OrgAvatar() {
  const { org } = useOrgHere();
  const setting = useSetOrgAvatar(org.name);
  return (
    <Part title="Avatar">
      <ImageChoice what="avatar" src={org.avatar_url} name={org.display_name} setting={setting} />
    </Part>
  );
}

function DeleteOrg() {
  const { org } = useOrgHere();
  const deletion = useDeleteOrg(org.name);
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        queries.removeQueries({ queryKey: orgKey(org.name) });
        void navigate(paths.orgs, { replace: true });
      },
    });
  return (
    <Part title="Delete">
      <Paper withBorder p="lg" maw={720}>
        <Group justify="space-between">
          <Text size="sm">Only an organization without apps can be deleted. This cannot be undone.</Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            Delete this organization
          </Button>
        </Group>
      </Paper>
      {isAsking && (
        <Confirm
          title={`Delete ${org.display_name}?`}
          action="Delete for good"
          isDangerous
          typed={org.name}
          doing={deletion}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <Text>
            Its people lose it, and its teams, open invitations and service accounts go with all their API tokens.
          </Text>
        </Confirm>
      )}
    </Part>
  );
}
