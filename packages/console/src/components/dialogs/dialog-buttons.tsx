import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

export const DialogButtons = ({ children }: { children: ReactNode }) => <Group justify="flex-end">{children}</Group>;
