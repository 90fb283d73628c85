import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  isGood: boolean;
  title: string;
  children: ReactNode;
  onClose: () => void;
}

/** Result of a test, until the user closes it. */
export const TestResult = ({ isGood, title, children, onClose }: Props) => (
  <Alert
    color={isGood ? 'harbor' : 'red'}
    icon={isGood ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
    title={title}
    role="status"
    withCloseButton
    closeButtonLabel="Close"
    onClose={onClose}
  >
    {children}
  </Alert>
);
