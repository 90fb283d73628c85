import { Anchor, Button, Group, Text } from '@mantine/core';
import { feedbackTickets_create } from '@mooring/contract';
import { useCreateFeedbackTicket, useFeedbackTicket } from '../../api/telemetry/feedback.ts';
import { useBugTracker } from '../../api/telemetry/trackers.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { ticketStateLabels } from '../trackers/tracker-labels.ts';

/** The ticket of feedback, if the app has a bug tracker. */
export function FeedbackTicketLine({ feedbackId }: { feedbackId: string }) {
  const { appRef, can } = useCurrentApp();
  const tracker = useBugTracker(appRef);
  const ticket = useFeedbackTicket(appRef, feedbackId).data;
  const creation = useCreateFeedbackTicket(appRef, feedbackId);
  if (!tracker.data || ticket === undefined) return null;
  return (
    <Group gap="sm">
      {ticket && (
        <Text size="sm">
          Ticket{' '}
          {ticket.url ? (
            <Anchor href={ticket.url} rel="noreferrer">
              {ticket.repo_name} {ticket.id}
            </Anchor>
          ) : (
            `in ${ticket.repo_name}`
          )}{' '}
          {ticketStateLabels[ticket.state]}
          {ticket.trouble ? `: ${ticket.trouble}` : ''}
        </Text>
      )}
      {can(feedbackTickets_create) && (!ticket || ticket.state === 'failed') && (
        <Button size="xs" variant="default" loading={creation.isPending} onClick={() => creation.mutate(undefined)}>
          {ticket ? 'Try again' : 'Create ticket'}
        </Button>
      )}
      {creation.error && <Failure error={creation.error} title="Couldn't create the ticket" />}
    </Group>
  );
}
