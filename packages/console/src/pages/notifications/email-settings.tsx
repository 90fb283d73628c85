import { Alert, Select, Stack, Switch } from '@mantine/core';
import { type EmailEvent, emailValues } from '@mooring/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import type { EmailSetting, EmailSettings, EmailSettingsChange } from '../../api/notifications.ts';
import { Failure } from '../../parts/failure.tsx';

const eventWords: Record<EmailEvent, string> = {
  crash_newCrashGroupCreated: 'New crash or error',
  crash_crashGroupRegressed: 'A closed crash is back',
  distribute_newAppReleased: 'Release given to testers or stores',
  codepush_codePushReleased: 'CodePush update released',
  codepush_codePushHalted: 'CodePush rollout halted',
  export_exportFailed: 'Export failed',
  build_buildFinished: 'Build finished',
  test_testRunFinished: 'Test run finished',
  token_appTokenExpiring: 'API token ends soon',
  alert_alertStarted: 'Alert began',
  alert_alertEnded: 'Alert ended',
};

const valueWords = {
  Disabled: 'No mail',
  Individual: 'At once',
  Daily: 'Once a day',
  DailyAndIndividual: 'At once, and once a day',
} as const;

const optionsFor = ({ default_value = 'Disabled' }: EmailSetting) =>
  emailValues.map((value) => ({
    value,
    label: value === 'Default' ? `As by default: ${valueWords[default_value]}` : valueWords[value],
  }));

interface Props {
  settings: EmailSettings;
  saving: UseMutationResult<unknown, Error, EmailSettingsChange>;
  label: string;
}

/** Each change is saved at once. */
export function EmailSettingsForm({ settings: { enabled, user_enabled, settings }, saving, label }: Props) {
  return (
    <Stack maw={520}>
      {user_enabled === false && (
        <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
          Mails are off for your account, so no app sends any.
        </Alert>
      )}
      {saving.error && <Failure error={saving.error} title="It was not saved" />}
      <Switch
        label={label}
        checked={enabled}
        onChange={(event) => saving.mutate({ enabled: event.currentTarget.checked })}
      />
      {settings.map((setting) => (
        <Select
          key={setting.event_type}
          label={eventWords[setting.event_type]}
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
