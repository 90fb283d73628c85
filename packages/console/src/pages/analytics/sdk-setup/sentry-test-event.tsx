import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconSend } from '@tabler/icons-react';
import { type SentryDsn, useSendSentryTest } from '../../../api/telemetry/sentry.ts';
import { Failure } from '../../../components/feedback/failure.tsx';
import { ButtonLink } from '../../../components/text/links.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';

/** Sends an envelope with an error and a session, as an SDK would. */
export function SentryTestEvent({ dsn }: { dsn: SentryDsn }) {
  const { appRef, params } = useCurrentApp();
  const sending = useSendSentryTest(appRef, dsn);
  return (
    <>
      <Text size="sm">
        The test event is a handled error with one session, from app version 0.0.1. It counts like real data.
      </Text>
      <Group>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          loading={sending.isPending}
          onClick={() => sending.mutate(undefined)}
        >
          Send test event
        </Button>
      </Group>
      {sending.error && <Failure error={sending.error} title="Couldn't send the test event" />}
      {sending.data && (
        <Alert color="gray" icon={<IconCheck size={18} aria-hidden />} role="status">
          Test event received. It appears under Crashes in a few seconds.{' '}
          <ButtonLink size="compact-sm" variant="subtle" to={pathTo('appCrashes', params)}>
            Show crashes
          </ButtonLink>
        </Alert>
      )}
    </>
  );
}
