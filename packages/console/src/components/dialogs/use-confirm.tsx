import { Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ConfirmOptions<Subject> {
  title: (subject: Subject) => string;
  action: string | ((subject: Subject) => string);
  isDangerous?: boolean;
  consequence: (subject: Subject) => string;
  openDialog: {
    isPending: boolean;
    error: unknown;
    mutate: (subject: Subject, options: { onSuccess: () => void }) => void;
    reset: () => void;
  };
}

/** A confirmed action, dangerous by default: `open(subject)` opens the dialog, which the page must render. */
export function useConfirm<Subject>({
  title,
  action,
  isDangerous = true,
  consequence,
  openDialog: mutation,
}: ConfirmOptions<Subject>) {
  // Fixes the texts at opening: a refetch after the action must not change them.
  const [pending, setPending] = useState<{ subject: Subject; title: string; action: string; consequence: string }>();
  const close = () => {
    setPending(undefined);
    mutation.reset();
  };
  const dialog = pending && (
    <ConfirmDialog
      title={pending.title}
      action={pending.action}
      isDangerous={isDangerous}
      mutation={mutation}
      onConfirm={() => mutation.mutate(pending.subject, { onSuccess: close })}
      onClose={close}
    >
      <Text>{pending.consequence}</Text>
    </ConfirmDialog>
  );
  const open = (subject: Subject) =>
    setPending({
      subject,
      title: title(subject),
      action: typeof action === 'string' ? action : action(subject),
      consequence: consequence(subject),
    });
  return { open, dialog };
}
