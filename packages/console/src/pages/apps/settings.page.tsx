import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import {
  appApiTokens_create,
  apps_delete,
  apps_transferOwnership,
  apps_update,
  apps_updateAvatar,
  ciRules_list,
} from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { appKey, useDeleteApp, useSetAppIcon, useUpdateApp } from '../../api/apps.ts';
import { queries } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { ImageField } from '../../components/forms/image-field.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { appParams, appPath, paths, pathTo } from '../../paths.ts';
import { TelemetryRetention } from '../analytics/telemetry-retention.tsx';
import { ReleaseGate } from '../releases/release-gate.tsx';
import { RetentionRules } from '../releases/retention-rules.tsx';
import { CiRules } from './ci-rules.tsx';
import { TransferApp } from './transfer.tsx';

export default function AppSettingsPage() {
  const { can } = useCurrentApp();
  return (
    <Page title="Settings">
      {can(apps_update) && (
        <Paper withBorder p="lg" maw={720}>
          <AppForm />
        </Paper>
      )}
      {can(apps_updateAvatar) && <AppIcon />}
      {can(appApiTokens_create) && <AppTokens />}
      {can(ciRules_list) && <CiRules />}
      <RetentionRules />
      <ReleaseGate />
      <TelemetryRetention />
      {can(apps_transferOwnership) && <TransferApp />}
      {can(apps_delete) && <DeleteApp />}
    </Page>
  );
}

function AppTokens() {
  const { app } = useCurrentApp();
  return (
    <Section title="API tokens" description="For scripts and pipelines that use only this app.">
      <div>
        <ButtonLink variant="default" to={pathTo('appTokens', appParams(app))}>
          Manage API tokens
        </ButtonLink>
      </div>
    </Section>
  );
}

function AppIcon() {
  const { app, appRef } = useCurrentApp();
  const setting = useSetAppIcon(appRef);
  return (
    <Section title="Icon">
      <ImageField imageName="icon" src={app.icon_url} name={app.display_name} setting={setting} />
    </Section>
  );
}

const rules = getBodyRules(apps_update);

function AppForm() {
  const { app, appRef } = useCurrentApp();
  const navigate = useNavigate();
  const update = useUpdateApp(appRef);
  const save = (fields: Fields) =>
    update.mutate(
      {
        display_name: fields.text('display_name'),
        name: fields.text('name'),
        release_type: fields.text('release_type') ?? '',
        description: fields.text('description') ?? '',
      },
      {
        onSuccess: (saved) => {
          if (appPath(saved) !== appPath(app))
            void navigate(pathTo('appSettings', appParams(saved)), { replace: true });
        },
      },
    );
  return (
    <Form action="Save" sending={update} conflict="name" done={update.isSuccess && 'Saved.'} onSend={save}>
      <TextField
        name="display_name"
        label="Display name"
        rule={needed(rules('display_name'))}
        defaultValue={app.display_name}
      />
      <NameField
        name="name"
        label="Name"
        rule={needed(rules('name'))}
        description="Part of the app's URL. Links and scripts with the old name stop working."
        defaultValue={app.name}
      />
      <TextField
        name="release_type"
        label="Release type"
        rule={rules('release_type')}
        placeholder="Beta"
        defaultValue={app.release_type}
      />
      <LongTextField
        name="description"
        label="Description"
        rule={rules('description')}
        defaultValue={app.description}
      />
    </Form>
  );
}

function DeleteApp() {
  const { app, appRef } = useCurrentApp();
  const navigate = useNavigate();
  const deletion = useDeleteApp(appRef);
  const [isConfirming, setConfirming] = useState(false);
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        queries.removeQueries({ queryKey: appKey(appRef) });
        void navigate(paths.home, { replace: true });
      },
    });
  return (
    <Section title="Delete">
      <Paper withBorder p="lg" maw={720}>
        <Group justify="space-between">
          <Text size="sm">Deletes the app and all its data. This cannot be undone.</Text>
          <Button color="red" variant="light" onClick={() => setConfirming(true)}>
            Delete app
          </Button>
        </Group>
      </Paper>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete app ${app.display_name}?`}
          action="Delete app"
          isDangerous
          typed={app.name}
          mutation={deletion}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <Stack gap="xs">
            <Text>This permanently deletes:</Text>
            <Text component="ul" m={0} pl="lg">
              <li>the app, its settings and its app secret (the server rejects SDKs that send it);</li>
              <li>its distribution groups, pending invitations, and the access of all users, teams and testers;</li>
              <li>all its API tokens (requests with them are rejected).</li>
            </Text>
          </Stack>
        </ConfirmDialog>
      )}
    </Section>
  );
}
