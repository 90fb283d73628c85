import { Modal, type ModalProps, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DialogContext } from './dialog-guard.ts';

const nothing = { isPending: false, error: null };

/** A dialog with input. A click outside closes it only if nothing would be lost. */
export function Dialog({ onClose, children, ...props }: Omit<ModalProps, 'onSubmit'>) {
  const [consequence, setConsequence] = useState<string>();
  const [isConfirming, setConfirming] = useState(false);
  const close = () => (consequence ? setConfirming(true) : onClose());
  return (
    <Modal onClose={close} closeOnClickOutside={!consequence} closeOnEscape={!isConfirming} {...props}>
      <DialogContext value={setConsequence}>
        {children}
        {isConfirming && (
          <ConfirmDialog
            title="Close without saving?"
            action="Close without saving"
            isDangerous
            mutation={nothing}
            onConfirm={() => {
              setConfirming(false);
              onClose();
            }}
            onClose={() => setConfirming(false)}
          >
            <Text>{consequence}</Text>
          </ConfirmDialog>
        )}
      </DialogContext>
    </Modal>
  );
}
