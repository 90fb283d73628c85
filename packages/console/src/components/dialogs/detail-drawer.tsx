import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

const KEY = 'open';

/** Keeps the open row in the URL, so that it can be shared and Back closes it. */
export function useOpenRow() {
  const [params, setParams] = useSearchParams();
  const withRow = (key: string | undefined) => {
    const next = new URLSearchParams(params);
    if (key) next.set(KEY, key);
    else next.delete(KEY);
    return next;
  };
  return {
    key: params.get(KEY) ?? undefined,
    to: (key: string) => `?${withRow(key)}`,
    open: (key: string) => setParams(withRow(key)),
    close: () => setParams(withRow(undefined)),
  };
}

interface DetailDrawerProps {
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Details of one row beside its list. */
export const DetailDrawer = ({ title, isOpen, onClose, children }: DetailDrawerProps) => (
  <Drawer
    opened={isOpen}
    onClose={onClose}
    title={title}
    position="right"
    size="lg"
    transitionProps={{ duration: 0 }}
    overlayProps={{ backgroundOpacity: 0.2 }}
    closeButtonProps={{ 'aria-label': 'Close dialog' }}
  >
    {children}
  </Drawer>
);
