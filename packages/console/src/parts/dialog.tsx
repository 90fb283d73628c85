import { Modal, type ModalProps, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from './confirm.tsx';
import { DialogContext } from './dialog-guard.ts';

const nothing = { isPending: false, error: null };

/** A dialog that takes something; a click beside it closes it only while nothing would be lost. */
export function Dialog({ onClose, children, ...props }: Omit<ModalProps, 'onSubmit'>) {
  const [loss, setLoss] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const close = () => (loss ? setAsking(true) : onClose());
  return (
    <Modal onClose={close} closeOnClickOutside={!loss} closeOnEscape={!isAsking} {...props}>
      <DialogContext value={setLoss}>
        {children}
        {isAsking && (
          <Confirm
            title="Close without keeping it?"
            action="Close"
            isDangerous
            doing={nothing}
            onConfirm={() => {
              setAsking(false);
              onClose();
            }}
            onClose={() => setAsking(false)}
          >
            <Text>{loss}</Text>
          </Confirm>
        )}
      </DialogContext>
    </Modal>
  );
}
