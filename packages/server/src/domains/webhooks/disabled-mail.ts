import { type NewMail, sanitizeName } from '../mail/index.ts';

const reasons = {
  Failing: 'all deliveries failed for five days',
  Gone: 'the URL responded with 410 Gone',
  AccessLost: 'the app was transferred to another owner',
};

const replay = 'Then enable the webhook again, and replay the failed messages on its page.';
const nextSteps = {
  Failing: `Fix the problem that its delivery log shows. ${replay}`,
  Gone: 'Change the URL and enable the webhook again, or delete it.',
  AccessLost:
    'Its URL and secret were removed. If the webhook is still needed, a manager of the app can enter a URL, rotate the secret and enable it.',
};

export interface DisabledMailContent {
  to: string;
  name: string;
  url: string;
  reason: keyof typeof reasons;
}

/** Names only the host: the rest of the URL may contain a secret. */
export function disabledMail({ to, name, url, reason }: DisabledMailContent): NewMail {
  const { host } = new URL(url);
  return {
    to,
    subject: `The webhook to ${host} was disabled`,
    text: `Mooring no longer sends messages of the webhook ${sanitizeName(name)} to ${host}, because ${reasons[reason]}.

${nextSteps[reason]}
`,
  };
}
