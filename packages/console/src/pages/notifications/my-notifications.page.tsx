import { Button } from '@mantine/core';
import { useMyEmailSettings, useSaveMyEmailSettings, useTestMail } from '../../api/account/notifications.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { TestResult } from '../../components/feedback/test-result.tsx';
import { Page } from '../../components/layout/page.tsx';
import { EmailSettingsForm } from './email-settings.tsx';

export default function MyNotificationsPage() {
  const saving = useSaveMyEmailSettings();
  const testing = useTestMail();
  return (
    <Page
      title="Notifications"
      description="Choose your emails for all apps. You can override this for each app."
      actions={
        <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate(undefined)}>
          Send test email
        </Button>
      }
    >
      {testing.error && <Failure error={testing.error} title="Couldn't send the test email" />}
      {testing.data && (
        <TestResult isGood={testing.data.is_sent} title="Test email" onClose={testing.reset}>
          {testing.data.is_sent
            ? `Sent an email to ${testing.data.email}. If it doesn't arrive, check your spam folder.`
            : 'Email is not configured on this server. The test email stays in the outbox.'}
        </TestResult>
      )}
      <QueryBoundary query={useMyEmailSettings()}>
        {(settings) => <EmailSettingsForm settings={settings} saving={saving} label="Emails about apps" />}
      </QueryBoundary>
    </Page>
  );
}
