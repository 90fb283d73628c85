import { Alert, Button, Code, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type Ingestion, useSendTest } from '../../api/ingestion.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import classes from './first-data.module.css';
import { sdkFor, sdks } from './sdks.ts';

/** How an app comes to send its first data: what to write in it, and a try without it. */
export function FirstData({ ingestion }: { ingestion: Ingestion }) {
  const { app } = useAppHere();
  const [chosen, setChosen] = useState(sdkFor(app).name);
  const sending = useSendTest(app);
  const sdk = sdks.find(({ name }) => name === chosen) ?? sdkFor(app);
  return (
    <Stack gap="md" maw={860}>
      <Paper withBorder p="md" component="section" aria-label="First data">
        <Stack gap="sm">
          <Title order={2} size="h5">
            {ingestion.last_received_at ? 'Send data from an app' : 'No data yet: tell the app where to send them'}
          </Title>
          <Text size="sm">
            Apps with an App Center SDK need one change: the address that logs are sent to. It is set before the SDK is
            started.
          </Text>
          <DescriptionList
            items={[
              ['App secret', <Copyable key="secret" value={app.app_secret} label="the app secret" />],
              ['Log address', <Copyable key="address" value={ingestion.address} label="the log address" />],
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
      <Paper withBorder p="md" component="section" aria-label="Test batch">
        <Stack gap="sm">
          <Title order={2} size="h5">
            Try it without an app
          </Title>
          <Text size="sm">
            A test batch is what an SDK sends at a start: one session and one event, of a device with the model “Test”
            and the version 0.0.1. It counts like any other.
          </Text>
          <Group>
            <Button
              leftSection={<IconSend size={16} aria-hidden />}
              loading={sending.isPending}
              onClick={() => sending.mutate(undefined)}
            >
              Send a test batch
            </Button>
          </Group>
          {sending.error && <Failure error={sending.error} title="The test batch was not taken" />}
          {sending.data && (
            <Alert color="gray" icon={<IconCheck size={18} aria-hidden />} role="status">
              {sending.data.accepted > 0
                ? 'It has come. The overview shows it in some seconds.'
                : 'It has come, but was dropped: logs of this app are blocked.'}
            </Alert>
          )}
        </Stack>
      </Paper>
    </Stack>
  );
}

const Snippet = ({ label, text }: { label: string; text: string }) => (
  // What scrolls must be reached by the keyboard.
  <Code block role="region" aria-label={label} tabIndex={0} className={classes.snippet}>
    {text}
  </Code>
);
