import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { forgetEvents, type HealthEvent, useResolve, useWithdraw } from '../../api/health.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { useQuestion } from '../../parts/question.tsx';

/** What an operator can do to an event as a whole. */
export function EventActions({ event, list }: { event: HealthEvent; list: string }) {
  const [isResolving, setResolving] = useState(false);
  const withdrawal = useWithdraw();
  const navigate = useNavigate();
  const question = useQuestion<HealthEvent>({
    title: ({ name }) => `Withdraw ${name}?`,
    action: 'Withdraw',
    loss: ({ properties }) =>
      `“${properties.title}” is deleted for every reader, with all its updates and its article. This cannot be undone. What is over is better resolved, so that people can read about it later.`,
    doing: {
      ...withdrawal,
      mutate: ({ name }) =>
        withdrawal.mutate(name, {
          onSuccess: () => {
            void navigate(list, { replace: true });
            forgetEvents();
          },
        }),
    },
  });
  return (
    <Group gap="sm">
      {event.properties.status !== 'Resolved' && (
        <Button variant="default" onClick={() => setResolving(true)}>
          Resolve
        </Button>
      )}
      <Button variant="default" onClick={() => question.ask(event)}>
        Withdraw
      </Button>
      {isResolving && <Resolve event={event} onClose={() => setResolving(false)} />}
      {question.dialog}
    </Group>
  );
}

function Resolve({ event, onClose }: { event: HealthEvent; onClose: () => void }) {
  const resolution = useResolve(event.name);
  return (
    <Confirm
      title={`Resolve ${event.name}?`}
      action="Resolve"
      doing={resolution}
      onConfirm={() => resolution.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>Every region of every service counts as resolved, from now on. Tell what was done by an update.</Text>
    </Confirm>
  );
}
