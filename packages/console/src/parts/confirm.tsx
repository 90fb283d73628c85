import { Button, Code, Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogButtons } from './dialog-buttons.tsx';
import { Failure } from './failure.tsx';
import { useFocusReturn } from './focus-return.ts';

interface ConfirmProps {
  title: string;
  /** What the button that does it says. */
  action: string;
  isDangerous?: boolean;
  /** What has to be typed before it can be done, where much would be lost. */
  typed?: string;
  doing: { isPending: boolean; error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is done, and stays open with the reason when it is refused. */
export function Confirm({ title, action, isDangerous, typed, doing, onConfirm, onClose, children }: ConfirmProps) {
  useFocusReturn();
  const [text, setText] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // It may stand in another form, which is not sent by it.
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
          {doing.error != null && <Failure error={doing.error} />}
          <DialogButtons>
            <Button variant="default" onClick={onClose} data-autofocus={typed === undefined ? true : undefined}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : undefined}
              loading={doing.isPending}
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
