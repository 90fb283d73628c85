import { Alert, Select, Stack, Switch } from '@mantine/core';
import { type EmailEvent, emailValues } from '@mooring/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import type { EmailSetting, EmailSettings, EmailSettingsChange } from '../../api/account/notifications.ts';
import { Failure } from '../../components/feedback/failure.tsx';

const eventLabels: Record<EmailEvent, string> = {
  crash_newCrashGroupCreated: 'New crash or error',
  crash_crashGroupRegressed: 'Closed crash regressed',
  distribute_newAppReleased: 'Release distributed to testers or stores',
  feedback_feedbackReceived: 'Feedback received',
  codepush_codePushReleased: 'CodePush update released',
  codepush_codePushHalted: 'CodePush rollout halted',
  export_exportFailed: 'Export failed',
  build_buildFinished: 'Build finished',
  test_testRunFinished: 'Test run finished',
  token_appTokenExpiring: 'App token expires soon',
  alert_alertStarted: 'Alert started',
  alert_alertEnded: 'Alert ended',
};

const valueLabels = {
  Disabled: 'No emails',
  Individual: 'Immediately',
  Daily: 'Daily summary',
  DailyAndIndividual: 'Immediately and daily summary',
} as const;

const optionsFor = ({ default_value = 'Disabled' }: EmailSetting) =>
  emailValues.map((value) => ({
    value,
    label: value === 'Default' ? `Default: ${valueLabels[default_value]}` : valueLabels[value],
  }));

interface Props {
  settings: EmailSettings;
  saving: UseMutationResult<unknown, Error, EmailSettingsChange>;
  label: string;
}

/** Saves each change immediately. */
export function EmailSettingsForm({ settings: { enabled, user_enabled, settings }, saving, label }: Props) {
  return (
    <Stack maw={520}>
      {user_enabled === false && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          Emails are turned off for your account, so you get none for any app.
        </Alert>
      )}
      {saving.error && <Failure error={saving.error} title="Couldn't save the setting" />}
      <Switch
        label={label}
        checked={enabled}
        onChange={(event) => saving.mutate({ enabled: event.currentTarget.checked })}
      />
      {settings.map((setting) => (
        <Select
          key={setting.event_type}
          label={eventLabels[setting.event_type]}
          data={optionsFor(setting)}
          value={setting.value}
          disabled={!enabled}
          allowDeselect={false}
          onChange={(value) =>
            value &&
            saving.mutate({
              settings: [{ event_type: setting.event_type, value: value as EmailSetting['value'] }],
            })
          }
        />
      ))}
    </Stack>
  );
}
