import { Badge } from '@mantine/core';
import type { AppWebhook } from '../../api/app-webhooks.ts';
import type { Webhook } from '../../api/webhooks.ts';

type State = Pick<Webhook, 'isEnabled' | 'disabledReason' | 'failingSince'>;

export const getState = ({ enabled, disabled_reason, failing_since }: AppWebhook): State => ({
  isEnabled: enabled,
  ...(disabled_reason ? { disabledReason: disabled_reason } : {}),
  ...(failing_since ? { failingSince: failing_since } : {}),
});

export function WebhookState({ webhook: { isEnabled, disabledReason, failingSince } }: { webhook: State }) {
  if (!isEnabled) return <Badge color={disabledReason ? 'red' : 'gray'}>Disabled</Badge>;
  return failingSince ? <Badge color="yellow">Failing</Badge> : <Badge>Enabled</Badge>;
}

/** Reasons why the server disabled a webhook, with the next step. */
export const disabledLabels: Record<NonNullable<Webhook['disabledReason']>, string> = {
  Failing: 'Disabled by the server because all deliveries failed for five days. Enable it again when its URL responds.',
  Gone: 'Disabled because its URL responded with status 410 (Gone). Change the URL and enable the webhook again, or delete it.',
  AccessLost: 'Disabled because its creator lost access to the subscription.',
};
