import { Alert, Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type Ingestion, useSendTest } from '../../../api/telemetry/ingestion.ts';
import { Failure } from '../../../components/feedback/failure.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { FirstDevice } from './first-device.tsx';
import { sdkFor, sdks } from './sdks.ts';
import { SentrySetup } from './sentry-setup.tsx';
import { Snippet } from './snippet.tsx';

/** SDK code with the app's secret and log URL, and a test log. */
export function SdkSetup({ ingestion }: { ingestion: Ingestion }) {
  const { app } = useCurrentApp();
  const [chosen, setChosen] = useState(sdkFor(app).name);
  const sending = useSendTest(app);
  const sdk = sdks.find(({ name }) => name === chosen) ?? sdkFor(app);
  return (
    <Stack gap="md" maw={860}>
      <FirstDevice device={ingestion.first_device} />
      <Paper withBorder p="md" component="section" aria-label="First data">
        <Stack gap="sm">
          <Title order={2} size="h5">
            {ingestion.first_device ? 'Send data from an app' : 'No data yet. Set up the SDK'}
          </Title>
          <Text size="sm">Apps with an App Center SDK need one change: set the log URL before you start the SDK.</Text>
          <DescriptionList
            items={[
              ['App secret', <Copyable key="secret" value={app.app_secret} label="app secret" />],
              ['Log URL', <Copyable key="address" value={ingestion.address} label="log URL" />],
            ]}
          />
          <NativeSelect
            label="SDK"
            size="xs"
            maw={260}
            value={sdk.name}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data={sdks.map(({ name }) => name)}
          />
          <Text size="sm">{sdk.where}</Text>
          <Snippet label={`Code for ${sdk.name}`} text={sdk.code(app.app_secret, ingestion.address)} />
        </Stack>
      </Paper>
      <SentrySetup />
      <Paper withBorder p="md" component="section" aria-label="Test log">
        <Stack gap="sm">
          <Title order={2} size="h5">
            Try it without an app
          </Title>
          <Text size="sm">
            The test log contains one session and one event from a device with model “Test” and app version 0.0.1. It
            counts like real data.
          </Text>
          <Group>
            <Button
              leftSection={<IconSend size={16} aria-hidden />}
              loading={sending.isPending}
              onClick={() => sending.mutate(undefined)}
            >
              Send test log
            </Button>
          </Group>
          {sending.error && <Failure error={sending.error} title="Couldn't send the test log" />}
          {sending.data && (
            <Alert color="gray" icon={<IconCheck size={18} aria-hidden />} role="status">
              {sending.data.accepted > 0
                ? 'Test log received. It appears in the overview in a few seconds. Setup is complete once a device sends data.'
                : 'Test log dropped: all logs of this app are dropped at the moment.'}
            </Alert>
          )}
        </Stack>
      </Paper>
    </Stack>
  );
}
