import { type NewMail, sanitizeName } from '../../mail/index.ts';

const reasons = {
  Failing: 'all deliveries failed for five days',
  Gone: 'the URL responded with 410 Gone',
  AccessLost: 'you lost access to the subscription',
};

const replay = 'Then enable the webhook again, and replay the failed messages on its page.';
const nextSteps = {
  Failing: `Fix the problem that its delivery log shows. ${replay}`,
  Gone: 'Change the URL and enable the webhook again, or delete it.',
  AccessLost: 'If you still need the webhook, ask for access to the subscription. Then enable the webhook again.',
};

export interface DisabledMailContent {
  to: string;
  subscription: string;
  url: string;
  reason: keyof typeof reasons;
}

/** Names only the host: the rest of the URL may contain a secret. */
export function disabledMail({ to, subscription, url, reason }: DisabledMailContent): NewMail {
  const { host } = new URL(url);
  return {
    to,
    subject: `Your webhook to ${host} was disabled`,
    text: `Mooring no longer sends health events of ${sanitizeName(subscription)} to ${host}, because ${reasons[reason]}.

${nextSteps[reason]}
`,
  };
}
