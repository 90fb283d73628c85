import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Failure } from './failure.tsx';

interface ConfirmProps {
  title: string;
  /** What the button that does it says. */
  action: string;
  isDangerous?: boolean;
  doing: { isPending: boolean; error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is done, and stays open with the reason when it is refused. */
export function Confirm({ title, action, isDangerous, doing, onConfirm, onClose, children }: ConfirmProps) {
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="md">
        {children}
        {doing.error != null && <Failure error={doing.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={isDangerous ? 'red' : undefined} loading={doing.isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Who opens this dialog takes it away whole, so it gives the focus back itself. */
function useFocusReturn(): void {
  const [opener] = useState(document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}
