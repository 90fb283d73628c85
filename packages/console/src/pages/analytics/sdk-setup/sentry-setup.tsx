import { NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSentryDsn } from '../../../api/telemetry/sentry.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Copyable } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { sentrySdkFor, sentrySdks } from './sentry-sdks.ts';
import { SentryTestEvent } from './sentry-test-event.tsx';
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
          The App Center SDKs are no longer maintained. Crashes, handled errors, app hangs, attachments and sessions of
          Sentry SDKs appear on the same pages, and logs as events. The server drops performance data and replays; see
          Ingestion.
        </Text>
        <QueryBoundary query={query}>
          {(sentry) => (
            <Stack gap="sm">
              <DescriptionList items={[['DSN', <Copyable key="dsn" value={sentry.dsn} label="DSN" />]]} />
              <NativeSelect
                label="Sentry SDK"
                size="xs"
                maw={260}
                value={sdk.name}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                data={sentrySdks.map(({ name }) => name)}
              />
              <Text size="sm">{sdk.where}</Text>
              <Snippet label={`Sentry code for ${sdk.name}`} text={sdk.code(sentry.dsn)} />
              <SentryTestEvent dsn={sentry} />
            </Stack>
          )}
        </QueryBoundary>
      </Stack>
    </Paper>
  );
}
