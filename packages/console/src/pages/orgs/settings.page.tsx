import { Button, Group, Paper, Text } from '@mantine/core';
import { organizations_update } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '../../api/client.ts';
import { orgKey, useDeleteOrg, useSetOrgAvatar, useUpdateOrg } from '../../api/organizations/orgs.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { ImageField } from '../../components/forms/image-field.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { paths, pathTo } from '../../paths.ts';
import { Provisioning } from '../provisioning/provisioning.tsx';
import { FactorRule } from '../sign-in/factor-rule.tsx';
import { SignInRule } from '../sign-in/sign-in-rule.tsx';
import { OrgRetentionRules } from './retention-rules.tsx';

const rules = getBodyRules(organizations_update);

export default function OrgSettingsPage() {
  const { org } = useCurrentOrg();
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
            description="Part of the URL of all its apps. The old name still works for reading, but not for changes."
            defaultValue={org.name}
          />
        </Form>
      </Paper>
      <OrgAvatar />
      <OrgRetentionRules />
      <SignInRule org={org.name} />
      <FactorRule org={org.name} />
      <Provisioning org={org.name} />
      <DeleteOrg />
    </Page>
  );
}

function OrgAvatar() {
  const { org } = useCurrentOrg();
  const setting = useSetOrgAvatar(org.name);
  return (
    <Section title="Avatar">
      <ImageField imageName="avatar" src={org.avatar_url} name={org.display_name} setting={setting} />
    </Section>
  );
}

function DeleteOrg() {
  const { org } = useCurrentOrg();
  const deletion = useDeleteOrg(org.name);
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        queries.removeQueries({ queryKey: orgKey(org.name) });
        void navigate(paths.orgs, { replace: true });
      },
    });
  return (
    <Section title="Delete">
      <Paper withBorder p="lg" maw={720}>
        <Group justify="space-between">
          <Text size="sm">You can delete an organization only if it has no apps. This cannot be undone.</Text>
          <Button color="red" variant="light" onClick={() => setConfirming(true)}>
            Delete organization
          </Button>
        </Group>
      </Paper>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete organization ${org.display_name}?`}
          action="Delete organization"
          isDangerous
          typed={org.name}
          mutation={deletion}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <Text>
            Deletes the organization's teams, pending invitations, and service accounts with their API tokens. All
            members lose access.
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
