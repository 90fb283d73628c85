import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { bugtracker_connect } from '@mooring/contract';
import { IconTicket } from '@tabler/icons-react';
import { type BugTracker, useBugTracker, useCheckTracker, useDisconnectTracker } from '../../api/telemetry/trackers.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { ConnectForm } from './connect-form.tsx';
import { trackerLabels } from './tracker-labels.ts';

export default function TrackerPage() {
  const { appRef, can } = useCurrentApp();
  const query = useBugTracker(appRef);
  const [isConnecting, connecting] = useDisclosure();
  const canChange = can(bugtracker_connect);
  return (
    <Page
      title="Bug tracker"
      description="Create tickets for issues of this app, manually or automatically, and keep their status in sync."
      actions={
        canChange &&
        query.data && (
          <Button variant="default" onClick={connecting.open}>
            Edit bug tracker
          </Button>
        )
      }
    >
      <QueryBoundary query={query}>
        {(tracker) =>
          tracker ? (
            <Connected tracker={tracker} canChange={canChange} />
          ) : (
            <EmptyState
              icon={<IconTicket size={32} aria-hidden />}
              action={canChange && <Button onClick={connecting.open}>Connect bug tracker</Button>}
            >
              No bug tracker connected
            </EmptyState>
          )
        }
      </QueryBoundary>
      <Dialog
        opened={isConnecting}
        onClose={connecting.close}
        title={query.data ? 'Edit bug tracker' : 'Connect bug tracker'}
        size="lg"
      >
        <ConnectForm tracker={query.data ?? undefined} onClose={connecting.close} />
      </Dialog>
    </Page>
  );
}

function State({ tracker: { state, trouble: lastError, checked_at } }: { tracker: BugTracker }) {
  if (state === 'unauthorized') return <Badge color="red">Token refused</Badge>;
  if (lastError) return <Badge color="red">Unreachable</Badge>;
  return checked_at ? <Badge>Connected</Badge> : <Badge color="gray">Not checked yet</Badge>;
}

function Connected({ tracker, canChange }: { tracker: BugTracker; canChange: boolean }) {
  const { appRef } = useCurrentApp();
  const check = useCheckTracker(appRef);
  const removal = useConfirm<BugTracker>({
    title: () => 'Disconnect bug tracker?',
    action: 'Disconnect bug tracker',
    consequence: () => 'Deletes the stored token. Tickets stay in the bug tracker, but issues no longer link to them.',
    openDialog: useDisconnectTracker(appRef),
  });
  return (
    <Stack gap="md">
      {check.error && <Failure error={check.error} title="Couldn't test the connection" />}
      <DescriptionList
        items={[
          ['Status', <State key="state" tracker={tracker} />],
          ...(tracker.trouble ? [['Last error', tracker.trouble] satisfies [string, string]] : []),
          ['Bug tracker', trackerLabels[tracker.type ?? 'github']],
          ['Project', tracker.project],
          ['API URL', tracker.base_url],
          ...(tracker.user_name ? [['User', tracker.user_name] satisfies [string, string]] : []),
          ['Tickets', tracker.event_types?.length ? 'Created for each new issue' : 'Created manually'],
          ['Issue status', tracker.follows_state ? 'Follows the ticket' : 'Independent of the ticket'],
          ['Ticket status', tracker.closes_tickets ? 'Follows the issue' : 'Changed only in the bug tracker'],
          ['Last checked', tracker.checked_at ? <Time key="checked" at={tracker.checked_at} /> : 'Never'],
        ]}
      />
      {(tracker.waiting_tickets ?? 0) > 0 && (
        <Text size="sm">
          {formatCount(tracker.waiting_tickets ?? 0, 'ticket is', 'tickets are')} waiting to be created.
        </Text>
      )}
      {canChange && (
        <Group gap="xs">
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate(undefined)}>
            Test connection
          </Button>
          <Button variant="default" onClick={() => removal.open(tracker)}>
            Disconnect bug tracker
          </Button>
        </Group>
      )}
      {removal.dialog}
    </Stack>
  );
}
