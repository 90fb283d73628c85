import { asWords, type NewMail } from '../mail/index.ts';

const reasons = {
  Failing: 'nothing but failures came back for five days',
  Gone: 'it answered 410 Gone',
  AccessLost: 'the app has another owner',
};

export interface DisabledMailContent {
  to: string;
  name: string;
  url: string;
  reason: keyof typeof reasons;
}

/** Names only the host: the rest of an address may be a secret. */
export function disabledMail({ to, name, url, reason }: DisabledMailContent): NewMail {
  const { host } = new URL(url);
  return {
    to,
    subject: `The webhook to ${host} was disabled`,
    text: `Mooring no longer sends messages of the webhook ${asWords(name)} to ${host}, because ${reasons[reason]}.

Its log of deliveries says what happened. When it is mended, enable the webhook again, and replay what was missed.
`,
  };
}
