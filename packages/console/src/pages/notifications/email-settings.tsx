import { Alert, Button, Checkbox, Stack, Switch, Text } from '@mantine/core';
import type { EmailEvent } from '@mooring/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import type { EmailSetting, EmailSettings, EmailSettingsChange } from '../../api/account/notifications.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { type Delivery, getDelivery, toValue } from './email-choices.ts';
import classes from './email-matrix.module.css';

const groups: { heading: string; events: Partial<Record<EmailEvent, string>> }[] = [
  {
    heading: 'Crashes and alerts',
    events: {
      crash_newCrashGroupCreated: 'New crash or error',
      crash_crashGroupRegressed: 'Closed crash came back',
      alert_alertStarted: 'Alert started',
      alert_alertEnded: 'Alert ended',
    },
  },
  {
    heading: 'Builds and tests',
    events: { build_buildFinished: 'Build finished', test_testRunFinished: 'Test run finished' },
  },
  {
    heading: 'Releases',
    events: {
      distribute_newAppReleased: 'Release distributed to testers or stores',
      codepush_codePushReleased: 'CodePush update released',
      codepush_codePushHalted: 'CodePush rollout halted',
      feedback_feedbackReceived: 'Feedback received',
    },
  },
  {
    heading: 'Maintenance',
    events: { export_exportFailed: 'Export failed', token_appTokenExpiring: 'API token expires soon' },
  },
];

const deliveryLabels: Record<keyof Delivery, string> = { isImmediate: 'Immediately', isDaily: 'Daily summary' };

interface Props {
  settings: EmailSettings;
  saving: UseMutationResult<unknown, Error, EmailSettingsChange>;
  label: string;
}

/** A matrix of events and deliveries. Saves each change immediately. */
export function EmailSettingsForm({ settings: { enabled, user_enabled, settings }, saving, label }: Props) {
  const byEvent = new Map(settings.map((setting) => [setting.event_type, setting]));
  const changed = settings.filter(({ value }) => value !== 'Default');
  return (
    <Stack>
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
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Event</th>
            {Object.entries(deliveryLabels).map(([name, text]) => (
              <th key={name} scope="col" className={classes.choice}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ heading, events }) => (
          <tbody key={heading}>
            <tr>
              <th scope="rowgroup" colSpan={3} className={classes.group}>
                {heading}
              </th>
            </tr>
            {Object.entries(events).map(([event, text]) => {
              const setting = byEvent.get(event as EmailEvent);
              return (
                setting && (
                  <EventRow
                    key={event}
                    text={text}
                    setting={setting}
                    isDisabled={!enabled}
                    onChange={(value) => saving.mutate({ settings: [{ event_type: setting.event_type, value }] })}
                  />
                )
              );
            })}
          </tbody>
        ))}
      </table>
      {changed.length > 0 && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          disabled={!enabled}
          onClick={() =>
            saving.mutate({ settings: changed.map(({ event_type }) => ({ event_type, value: 'Default' as const })) })
          }
        >
          Restore defaults
        </Button>
      )}
    </Stack>
  );
}

interface EventRowProps {
  text: string;
  setting: EmailSetting;
  isDisabled: boolean;
  onChange: (value: EmailSetting['value']) => void;
}

function EventRow({ text, setting, isDisabled, onChange }: EventRowProps) {
  const delivery = getDelivery(setting);
  return (
    <tr>
      <th scope="row">
        {text}
        {setting.value === 'Default' && (
          <Text span size="xs" c="dimmed">
            {' '}
            Default
          </Text>
        )}
      </th>
      {Object.entries(deliveryLabels).map(([name, label]) => (
        <td key={name} className={classes.choice}>
          <Checkbox
            size="md"
            aria-label={`${text}: ${label}`}
            checked={delivery[name as keyof Delivery]}
            disabled={isDisabled}
            onChange={({ currentTarget: { checked } }) => onChange(toValue({ ...delivery, [name]: checked }))}
          />
        </td>
      ))}
    </tr>
  );
}
