import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import {
  appApiTokens_create,
  apps_delete,
  apps_transferOwnership,
  apps_update,
  apps_updateAvatar,
} from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { appKey, useDeleteApp, useSetAppIcon, useUpdateApp } from '../../api/apps.ts';
import { queries } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { ImageChoice } from '../../parts/image-choice.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { appParams, appPath, paths, pathTo } from '../../paths.ts';
import { KeptTelemetry } from '../analytics/kept-telemetry.tsx';
import { KeptReleases } from '../releases/kept-releases.tsx';
import { ReleaseGate } from '../releases/release-gate.tsx';
import { TransferApp } from './transfer.tsx';

export default function AppSettingsPage() {
  const { may } = useAppHere();
  return (
    <Page title="Settings">
      {may(apps_update) && (
        <Paper withBorder p="lg" maw={720}>
          <AppForm />
        </Paper>
      )}
      {may(apps_updateAvatar) && <AppIcon />}
      {may(appApiTokens_create) && <AppTokens />}
      <KeptReleases />
      <ReleaseGate />
      <KeptTelemetry />
      {may(apps_transferOwnership) && <TransferApp />}
      {may(apps_delete) && <DeleteApp />}
    </Page>
  );
}

function AppTokens() {
  const { app } = useAppHere();
  return (
    <Part title="API tokens" lead="For scripts and pipelines that work on this app alone.">
      <div>
        <ButtonLink variant="default" to={pathTo('appTokens', appParams(app))}>
          Manage API tokens
        </ButtonLink>
      </div>
    </Part>
  );
}

function AppIcon() {
  const { app, appRef } = useAppHere();
  const setting = useSetAppIcon(appRef);
  return (
    <Part title="Icon">
      <ImageChoice what="icon" src={app.icon_url} name={app.display_name} setting={setting} />
    </Part>
  );
}

const rules = fieldsOf(apps_update);

function AppForm() {
  const { app, appRef } = useAppHere();
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
        description="Part of its address: links and scripts with the old name stop working."
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
  const { app, appRef } = useAppHere();
  const navigate = useNavigate();
  const deletion = useDeleteApp(appRef);
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        queries.removeQueries({ queryKey: appKey(appRef) });
        void navigate(paths.home, { replace: true });
      },
    });
  return (
    <Part title="Delete">
      <Paper withBorder p="lg" maw={720}>
        <Group justify="space-between">
          <Text size="sm">The app goes with everything that belongs to it. This cannot be undone.</Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            Delete this app
          </Button>
        </Group>
      </Paper>
      {isAsking && (
        <Confirm
          title={`Delete ${app.display_name}?`}
          action="Delete for good"
          isDangerous
          typed={app.name}
          doing={deletion}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <Stack gap="xs">
            <Text>These are lost, and cannot be brought back:</Text>
            <Text component="ul" m={0} pl="lg">
              <li>the app, its settings and its app secret: SDKs that send it are refused;</li>
              <li>the access of all its users, teams and testers, its groups and open invitations;</li>
              <li>all its API tokens: whatever uses them is refused.</li>
            </Text>
          </Stack>
        </Confirm>
      )}
    </Part>
  );
}
