import { Button, type ButtonProps, type MantineSize } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  label: string;
  /** Dialog title; by default the button's label. */
  title?: string;
  width?: MantineSize;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ label, title = label, width = 'lg', children, ...props }: DialogButtonProps) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button {...props} onClick={dialog.open}>
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={title} size={width}>
        {children(dialog.close)}
      </Dialog>
    </>
  );
}
