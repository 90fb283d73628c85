import type { ApiToken } from '../../api/account/tokens.ts';
import type { AlertRule } from '../../api/health/alerts.ts';
import type { HealthEvent } from '../../api/health/health.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { paths, pathTo, withQuery } from '../../paths.ts';
import type { Attention } from './attention-card.tsx';

const DAY = 86_400_000;
/** Tokens are listed if they expire within this time. */
const SOON = 14 * DAY;
/** Beyond this number, reasons are summarized. */
const LISTED = 3;

export const invitationAttention = (open: number, to: string): Attention[] =>
  open > 0 ? [{ text: `${formatCount(open, 'invitation is', 'invitations are')} waiting for an answer`, to }] : [];

/** Expired tokens were noticed already; expiring ones are still in use. */
export function tokenAttention(tokens: ApiToken[], to: string, now: number): Attention[] {
  const ending = tokens
    .flatMap(({ description, expires_at }) => (expires_at ? [{ description, left: Date.parse(expires_at) - now }] : []))
    .filter(({ left }) => left > 0 && left < SOON);
  if (ending.length > LISTED)
    return [{ text: `${ending.length} API tokens expire within two weeks`, to, isUrgent: true }];
  return ending.map(({ description, left }) => ({
    text: `The API token ${description ?? 'without a name'} expires in ${formatCount(Math.ceil(left / DAY), 'day')}`,
    to,
    isUrgent: true,
  }));
}

export const alertAttention = (rules: Pick<AlertRule, 'name' | 'enabled' | 'state'>[], to: string): Attention[] => {
  const alerting = rules.filter(({ enabled, state }) => enabled && state === 'alerting');
  if (alerting.length > LISTED) return [{ text: `${alerting.length} alert rules are alerting`, to, isUrgent: true }];
  return alerting.map(({ name }) => ({ text: `The alert rule ${name} is alerting`, to, isUrgent: true }));
};

export function eventAttention(events: HealthEvent[]): Attention[] {
  if (events.length > LISTED) {
    const to = withQuery(paths.health, { status: 'Active' });
    return [{ text: `${events.length} health events are active`, to, isUrgent: true }];
  }
  return events.map(({ name, properties }) => ({
    text: properties.title,
    to: pathTo('healthEvent', { trackingId: name }),
    isUrgent: properties.eventLevel === 'Critical' || properties.eventLevel === 'Error',
  }));
}

interface Read<T> {
  data: T | undefined;
  isError: boolean;
}

/** Undefined while loading; sources that fail to load have no reasons. */
export function collectAttention<T>(
  { data, isError }: Read<T>,
  toAttention: (data: T) => Attention[],
): Attention[] | undefined {
  if (data !== undefined) return toAttention(data);
  return isError ? [] : undefined;
}
