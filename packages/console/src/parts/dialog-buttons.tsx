import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons of a dialog, at its end. */
export const DialogButtons = ({ children }: { children: ReactNode }) => <Group justify="flex-end">{children}</Group>;
