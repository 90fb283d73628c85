import { useAppEmailSettings, useSaveAppEmailSettings } from '../../api/account/notifications.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { EmailSettingsForm } from './email-settings.tsx';

export default function AppNotificationsPage() {
  const { app, appRef } = useCurrentApp();
  const saving = useSaveAppEmailSettings(appRef);
  return (
    <Page title="Notifications" description={`Choose your emails about ${app.display_name}.`}>
      <QueryBoundary query={useAppEmailSettings(appRef)}>
        {(settings) => <EmailSettingsForm settings={settings} saving={saving} label="Emails about this app" />}
      </QueryBoundary>
    </Page>
  );
}
