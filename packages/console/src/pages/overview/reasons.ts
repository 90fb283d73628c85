import type { HealthEvent } from '../../api/health/health.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { paths, pathTo, withQuery } from '../../paths.ts';
import type { Attention } from './attention-card.tsx';

/** Beyond this number, reasons are summarized. */
const LISTED = 3;

export const invitationAttention = (open: number, to: string): Attention[] =>
  open > 0 ? [{ text: `${formatCount(open, 'invitation is', 'invitations are')} waiting for an answer`, to }] : [];

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
