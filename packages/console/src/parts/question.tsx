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
  const [subject, setSubject] = useState<Subject>();
  const close = () => {
    setSubject(undefined);
    doing.reset();
  };
  const dialog = subject !== undefined && (
    <Confirm
      title={title(subject)}
      action={action}
      isDangerous={isDangerous}
      doing={doing}
      onConfirm={() => doing.mutate(subject, { onSuccess: close })}
      onClose={close}
    >
      <Text>{loss(subject)}</Text>
    </Confirm>
  );
  return { ask: setSubject as (subject: Subject) => void, dialog };
}
