import { NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSentryDsn } from '../../../api/telemetry/sentry.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { sentrySdkFor, sentrySdks } from './sentry-sdks.ts';
import { Snippet } from './snippet.tsx';

/** The DSN of the app, and the code for each Sentry SDK. */
export function SentrySetup() {
  const { app, appRef } = useCurrentApp();
  const query = useSentryDsn(appRef);
  const [chosen, setChosen] = useState(sentrySdkFor(app).name);
  const sdk = sentrySdks.find(({ name }) => name === chosen) ?? sentrySdkFor(app);
  return (
    <Paper withBorder p="md" component="section" aria-label="Sentry SDKs">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Use a Sentry SDK in a new app
        </Title>
        <Text size="sm">
          The App Center SDKs are no longer maintained. Crashes, handled errors, attachments and sessions of Sentry SDKs
          appear on the same pages. The server drops performance data, replays, logs and feedback; see Ingestion.
        </Text>
        <QueryBoundary query={query}>
          {({ dsn }) => (
            <Stack gap="sm">
              <DescriptionList items={[['DSN', <Copyable key="dsn" value={dsn} label="DSN" />]]} />
              <NativeSelect
                label="Sentry SDK"
                size="xs"
                maw={260}
                value={sdk.name}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                data={sentrySdks.map(({ name }) => name)}
              />
              <Text size="sm">{sdk.where}</Text>
              <Snippet label={`Sentry code for ${sdk.name}`} text={sdk.code(dsn)} />
            </Stack>
          )}
        </QueryBoundary>
      </Stack>
    </Paper>
  );
}
