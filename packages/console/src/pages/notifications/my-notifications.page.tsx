import { Button } from '@mantine/core';
import { useMyEmailSettings, useSaveMyEmailSettings, useTestMail } from '../../api/notifications.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { TestResult } from '../../parts/test-result.tsx';
import { EmailSettingsForm } from './email-settings.tsx';

export default function MyNotificationsPage() {
  const saving = useSaveMyEmailSettings();
  const testing = useTestMail();
  return (
    <Page
      title="Notifications"
      lead="Of what you get mails, for all apps. Each app can say otherwise."
      actions={
        <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate(undefined)}>
          Send test
        </Button>
      }
    >
      {testing.error && <Failure error={testing.error} title="No test was sent" />}
      {testing.data && (
        <TestResult isGood={testing.data.is_sent} title="Test of your mails" onClose={testing.reset}>
          {testing.data.is_sent
            ? `A mail goes to ${testing.data.email}. If it does not come, look among what your mail program holds back.`
            : 'This server has no mail server, so the mail stays in its outbox.'}
        </TestResult>
      )}
      <Loaded reading={useMyEmailSettings()}>
        {(settings) => <EmailSettingsForm settings={settings} saving={saving} label="Mails about apps" />}
      </Loaded>
    </Page>
  );
}
