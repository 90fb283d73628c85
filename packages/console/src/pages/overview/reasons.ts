import type { AlertRule } from '../../api/alerts.ts';
import type { HealthEvent } from '../../api/health.ts';
import type { ApiToken } from '../../api/tokens.ts';
import { paths, pathTo, withQuery } from '../../paths.ts';
import type { Attention } from './attention.tsx';

const DAY = 86_400_000;
/** How long before its end a token is spoken of. */
const SOON = 14 * DAY;
/** More of a kind are counted, not listed. */
const LISTED = 3;

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

export const invitationAttention = (open: number, to: string): Attention[] =>
  open > 0 ? [{ text: `${plural(open, 'invitation is', 'invitations are')} waiting for an answer`, to }] : [];

/** Whoever uses an expired token has noticed; one that ends soon is still in use. */
export function tokenAttention(tokens: ApiToken[], to: string, now: number): Attention[] {
  const ending = tokens
    .flatMap(({ description, expires_at }) => (expires_at ? [{ description, left: Date.parse(expires_at) - now }] : []))
    .filter(({ left }) => left > 0 && left < SOON);
  if (ending.length > LISTED)
    return [{ text: `${ending.length} API tokens expire within two weeks`, to, isUrgent: true }];
  return ending.map(({ description, left }) => ({
    text: `The API token ${description ?? 'without a name'} expires in ${plural(Math.ceil(left / DAY), 'day', 'days')}`,
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

/** Undefined until it is known; what cannot be read is nothing that the reader could look at here. */
export function foundIn<T>({ data, isError }: Read<T>, tell: (data: T) => Attention[]): Attention[] | undefined {
  if (data !== undefined) return tell(data);
  return isError ? [] : undefined;
}
