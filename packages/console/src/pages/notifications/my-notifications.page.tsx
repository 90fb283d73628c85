import { useMyEmailSettings, useSaveMyEmailSettings } from '../../api/notifications.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { EmailSettingsForm } from './email-settings.tsx';

export default function MyNotificationsPage() {
  const saving = useSaveMyEmailSettings();
  return (
    <Page title="Notifications" lead="Of what you get mails, for all apps. Each app can say otherwise.">
      <Loaded reading={useMyEmailSettings()}>
        {(settings) => <EmailSettingsForm settings={settings} saving={saving} label="Mails about apps" />}
      </Loaded>
    </Page>
  );
}
