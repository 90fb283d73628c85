import { useAppEmailSettings, useSaveAppEmailSettings } from '../../api/notifications.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { EmailSettingsForm } from './email-settings.tsx';

export default function AppNotificationsPage() {
  const { app, appRef } = useAppHere();
  const saving = useSaveAppEmailSettings(appRef);
  return (
    <Page title="Notifications" lead={`Of what you get mails about ${app.display_name}.`}>
      <Loaded reading={useAppEmailSettings(appRef)}>
        {(settings) => <EmailSettingsForm settings={settings} saving={saving} label="Mails about this app" />}
      </Loaded>
    </Page>
  );
}
