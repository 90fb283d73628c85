import { Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from './confirm.tsx';

interface Question<Subject> {
  title: (subject: Subject) => string;
  action: string;
  isDangerous?: boolean;
  loss: (subject: Subject) => string;
  doing: {
    isPending: boolean;
    error: unknown;
    mutate: (subject: Subject, options: { onSuccess: () => void }) => void;
    reset: () => void;
  };
}

/** A step, dangerous unless it is said not to be, that is asked about first: `ask(subject)` opens the dialog, which is to be shown on the page. */
export function useQuestion<Subject>({ title, action, isDangerous = true, loss, doing }: Question<Subject>) {
  // As it was asked: what is read again once it is done must not turn the question round.
  const [asked, setAsked] = useState<{ subject: Subject; title: string; action: string; loss: string }>();
  const close = () => {
    setAsked(undefined);
    doing.reset();
  };
  const dialog = asked && (
    <Confirm
      title={asked.title}
      action={asked.action}
      isDangerous={isDangerous}
      doing={doing}
      onConfirm={() => doing.mutate(asked.subject, { onSuccess: close })}
      onClose={close}
    >
      <Text>{asked.loss}</Text>
    </Confirm>
  );
  const ask = (subject: Subject) => setAsked({ subject, title: title(subject), action, loss: loss(subject) });
  return { ask, dialog };
}
