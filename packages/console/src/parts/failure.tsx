import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';

/** What went wrong, in the server's words where it said any. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server cannot be reached. Is it running, and are you connected to it?';
  const { message, retryAfter } = error;
  return retryAfter ? `${message} You can try again in ${seconds(retryAfter)}.` : message;
}

const seconds = (count: number): string => `${Math.ceil(count)} ${Math.ceil(count) === 1 ? 'second' : 'seconds'}`;

interface FailureProps {
  error: unknown;
  title?: string;
  /** In place of all that was said. */
  text?: string;
  onRetry?: () => void;
}

export function Failure({ error, title, text = reasonOf(error), onRetry }: FailureProps) {
  const isForbidden = error instanceof ApiError && error.status === 403;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      color={isForbidden ? 'yellow' : 'red'}
      icon={isForbidden ? <IconLock aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={title}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {requestId && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
