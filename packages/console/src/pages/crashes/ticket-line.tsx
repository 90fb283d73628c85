import { Anchor, Button, Group, Text } from '@mantine/core';
import { bugTracker_createIssue } from '@mooring/contract';
import type { Issue } from '../../api/crashes.ts';
import { type Ticket, useBugTracker, useCreateTicket, useTicket, useUnlinkTicket } from '../../api/trackers.ts';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useQuestion } from '../../parts/question.tsx';

const stateWords: Record<Ticket['state'], string> = {
  waiting: 'is about to be made',
  open: 'is open',
  closed: 'is closed',
  failed: 'failed',
};

/** The ticket of an issue, if the app has a bug tracker. */
export function TicketLine({ issue }: { issue: Issue }) {
  const { appRef, may } = useAppHere();
  const groupId = issue.groups[0]?.crash_group_id ?? '';
  const tracker = useBugTracker(appRef);
  const ticket = useTicket(appRef, groupId).data;
  const creation = useCreateTicket(appRef, groupId);
  const removal = useQuestion<Ticket>({
    title: () => 'Forget this ticket?',
    action: 'Forget',
    loss: () => 'It stays in the bug tracker, but this issue no longer leads to it.',
    doing: useUnlinkTicket(appRef, groupId),
  });
  const mayChange = may(bugTracker_createIssue);
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
          {stateWords[ticket.state]}
          {ticket.trouble ? `: ${ticket.trouble}` : ''}
        </Text>
      )}
      {mayChange && (!ticket || ticket.state === 'failed') && (
        <Button size="xs" variant="default" loading={creation.isPending} onClick={() => creation.mutate(undefined)}>
          {ticket ? 'Try again' : 'Create ticket'}
        </Button>
      )}
      {mayChange && ticket && (
        <Button size="xs" variant="default" onClick={() => removal.ask(ticket)}>
          Forget ticket
        </Button>
      )}
      {creation.error && <Failure error={creation.error} title="No ticket was made" />}
      {removal.dialog}
    </Group>
  );
}
