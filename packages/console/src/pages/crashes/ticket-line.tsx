import { Anchor, Button, Group, Text } from '@mantine/core';
import { bugTracker_createIssue, bugtracker_connect } from '@mooring/contract';
import type { Issue } from '../../api/telemetry/crashes.ts';
import {
  type Ticket,
  useBugTracker,
  useCreateTicket,
  useTicket,
  useUnlinkTicket,
} from '../../api/telemetry/trackers.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ticketStateLabels } from '../trackers/tracker-labels.ts';

/** The ticket of an issue, if the app has a bug tracker. */
export function TicketLine({ issue }: { issue: Issue }) {
  const { appRef, params, can } = useCurrentApp();
  const groupId = issue.groups[0]?.crash_group_id ?? '';
  const tracker = useBugTracker(appRef);
  const ticket = useTicket(appRef, groupId).data;
  const creation = useCreateTicket(appRef, groupId);
  const removal = useConfirm<Ticket>({
    title: () => 'Unlink ticket?',
    action: 'Unlink ticket',
    consequence: () => 'The ticket stays in the bug tracker, but this issue no longer links to it.',
    openDialog: useUnlinkTicket(appRef, groupId),
  });
  const canChange = can(bugTracker_createIssue);
  if (tracker.data === null && can(bugtracker_connect))
    return (
      <TextLink size="sm" to={pathTo('appTracker', params)}>
        Connect a bug tracker to create tickets
      </TextLink>
    );
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
      {canChange && (!ticket || ticket.state === 'failed') && (
        <Button size="xs" variant="default" loading={creation.isPending} onClick={() => creation.mutate(undefined)}>
          {ticket ? 'Try again' : 'Create ticket'}
        </Button>
      )}
      {canChange && ticket && (
        <Button size="xs" variant="default" onClick={() => removal.open(ticket)}>
          Unlink ticket
        </Button>
      )}
      {creation.error && <Failure error={creation.error} title="Couldn't create the ticket" />}
      {removal.dialog}
    </Group>
  );
}
