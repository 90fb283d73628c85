import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { clearEvents, type HealthEvent, useResolve, useWithdraw } from '../../../api/health/health.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';

/** Operator actions on an event. */
export function EventActions({ event, list }: { event: HealthEvent; list: string }) {
  const [isResolving, setResolving] = useState(false);
  const withdrawal = useWithdraw();
  const navigate = useNavigate();
  const confirmation = useConfirm<HealthEvent>({
    title: ({ name }) => `Withdraw event ${name}?`,
    action: 'Withdraw event',
    consequence: ({ properties }) =>
      `“${properties.title}” is deleted for all readers, with its updates and its article. This cannot be undone. If the event is over, resolve it instead: people can still read it.`,
    openDialog: {
      ...withdrawal,
      mutate: ({ name }) =>
        withdrawal.mutate(name, {
          onSuccess: () => {
            void navigate(list, { replace: true });
            clearEvents();
          },
        }),
    },
  });
  return (
    <Group gap="sm">
      {event.properties.status !== 'Resolved' && (
        <Button variant="default" onClick={() => setResolving(true)}>
          Resolve event
        </Button>
      )}
      <Button variant="default" onClick={() => confirmation.open(event)}>
        Withdraw event
      </Button>
      {isResolving && <Resolve event={event} onClose={() => setResolving(false)} />}
      {confirmation.dialog}
    </Group>
  );
}

function Resolve({ event, onClose }: { event: HealthEvent; onClose: () => void }) {
  const resolution = useResolve(event.name);
  return (
    <ConfirmDialog
      title={`Resolve event ${event.name}?`}
      action="Resolve event"
      mutation={resolution}
      onConfirm={() => resolution.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>Marks all services and regions as resolved. To explain what was done, publish an update.</Text>
    </ConfirmDialog>
  );
}
