import { Button, Code, Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from '../feedback/failure.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { useFocusReturn } from './focus-return.ts';

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirm button. */
  action: string;
  isDangerous?: boolean;
  /** Text that the user must type to confirm a destructive action. */
  typed?: string;
  mutation: { isPending: boolean; error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for confirmation, and stays open with the error if the action fails. */
export function ConfirmDialog({
  title,
  action,
  isDangerous,
  typed,
  mutation,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  useFocusReturn();
  const [text, setText] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // This form may be nested in another one, which must not be submitted.
          event.stopPropagation();
          onConfirm();
        }}
      >
        <Stack gap="md">
          {children}
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <Code>{typed}</Code> to confirm
                </>
              }
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
            />
          )}
          {mutation.error != null && <Failure error={mutation.error} />}
          <DialogButtons>
            <Button variant="default" onClick={onClose} data-autofocus={typed === undefined ? true : undefined}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : undefined}
              loading={mutation.isPending}
              disabled={typed !== undefined && text.trim() !== typed}
            >
              {action}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  );
}
