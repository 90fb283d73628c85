import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { bugtracker_connect } from '@mooring/contract';
import { IconTicket } from '@tabler/icons-react';
import { type BugTracker, useBugTracker, useCheckTracker, useDisconnectTracker } from '../../api/trackers.ts';
import { DescriptionList } from '../../parts/description-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { Time } from '../../parts/time.tsx';
import { ConnectForm } from './connect-form.tsx';
import { trackerWords } from './tracker-words.ts';

export default function TrackerPage() {
  const { appRef, may } = useAppHere();
  const reading = useBugTracker(appRef);
  const [isConnecting, connecting] = useDisclosure();
  const mayChange = may(bugtracker_connect);
  return (
    <Page
      title="Bug tracker"
      lead="Issues of this app become tickets, by hand or with their first crash, and follow them."
      actions={
        mayChange &&
        reading.data && (
          <Button variant="default" onClick={connecting.open}>
            Change
          </Button>
        )
      }
    >
      <Loaded reading={reading}>
        {(tracker) =>
          tracker ? (
            <Connected tracker={tracker} mayChange={mayChange} />
          ) : (
            <Empty
              icon={<IconTicket size={32} aria-hidden />}
              action={mayChange && <Button onClick={connecting.open}>Connect a bug tracker</Button>}
            >
              This app is connected with no bug tracker.
            </Empty>
          )
        }
      </Loaded>
      <Dialog opened={isConnecting} onClose={connecting.close} title="Bug tracker" size="lg">
        <ConnectForm tracker={reading.data ?? undefined} onClose={connecting.close} />
      </Dialog>
    </Page>
  );
}

function State({ tracker: { state, trouble, checked_at } }: { tracker: BugTracker }) {
  if (state === 'unauthorized') return <Badge color="red">Token refused</Badge>;
  if (trouble) return <Badge color="red">Not reached</Badge>;
  return checked_at ? <Badge>Connected</Badge> : <Badge color="gray">Not looked at yet</Badge>;
}

function Connected({ tracker, mayChange }: { tracker: BugTracker; mayChange: boolean }) {
  const { appRef } = useAppHere();
  const check = useCheckTracker(appRef);
  const removal = useQuestion<BugTracker>({
    title: () => 'Disconnect the bug tracker?',
    action: 'Disconnect',
    loss: () => 'The token is forgotten. Tickets stay there, but nothing here leads to them any more.',
    doing: useDisconnectTracker(appRef),
  });
  return (
    <Stack gap="md">
      {check.error && <Failure error={check.error} title="It could not be looked at" />}
      <DescriptionList
        items={[
          ['State', <State key="state" tracker={tracker} />],
          ...(tracker.trouble ? [['Trouble', tracker.trouble] satisfies [string, string]] : []),
          ['Kind', trackerWords[tracker.type ?? 'github']],
          ['Project', tracker.project],
          ['Address', tracker.base_url],
          ...(tracker.user_name ? [['Name', tracker.user_name] satisfies [string, string]] : []),
          ['Tickets', tracker.event_types?.length ? 'With the first crash of an issue' : 'By hand'],
          ['State of issues', tracker.follows_state ? 'Follows that of the ticket' : 'Independent of the ticket'],
          ['State of tickets', tracker.closes_tickets ? 'Follows that of the issue' : 'Changed in the tracker alone'],
          ['Last asked', tracker.checked_at ? <Time key="checked" at={tracker.checked_at} /> : 'never'],
        ]}
      />
      {(tracker.waiting_tickets ?? 0) > 0 && (
        <Text size="sm">{tracker.waiting_tickets?.toLocaleString()} tickets are still to be made.</Text>
      )}
      {mayChange && (
        <Group gap="xs">
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate(undefined)}>
            Test the connection
          </Button>
          <Button variant="default" onClick={() => removal.ask(tracker)}>
            Disconnect
          </Button>
        </Group>
      )}
      {removal.dialog}
    </Stack>
  );
}
