import { Badge } from '@mantine/core';
import type { Webhook } from '../../api/webhooks.ts';
import type { AppWebhook } from '../../api/webhooks-of-apps.ts';

type State = Pick<Webhook, 'isEnabled' | 'disabledReason' | 'failingSince'>;

export const stateOf = ({ enabled, disabled_reason, failing_since }: AppWebhook): State => ({
  isEnabled: enabled,
  ...(disabled_reason ? { disabledReason: disabled_reason } : {}),
  ...(failing_since ? { failingSince: failing_since } : {}),
});

export function WebhookState({ webhook: { isEnabled, disabledReason, failingSince } }: { webhook: State }) {
  if (!isEnabled) return <Badge color={disabledReason ? 'red' : 'gray'}>Disabled</Badge>;
  return failingSince ? <Badge color="yellow">Failing</Badge> : <Badge>Enabled</Badge>;
}

/** Why the server itself has disabled it, and what to do. */
export const disabledWords: Record<NonNullable<Webhook['disabledReason']>, string> = {
  Failing:
    'For five days no message was taken, so the server has disabled it. Enable it again once its address answers.',
  Gone: 'Its address answered 410: nobody wants messages there any more. Change the address, or delete the webhook.',
  AccessLost: 'Whoever made it may no longer read the subscription, so nothing is sent.',
};
