import { Alert, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { formatCount } from '../text/format-count.ts';

/** The server's error message, or a generic one. */
export function getErrorMessage(error: unknown): string {
  if (!(error instanceof ApiError))
    return "Can't reach the server. Check your connection and whether the server is running.";
  const { message, retryAfter } = error;
  return retryAfter ? `${message} Try again in ${formatCount(Math.ceil(retryAfter), 'second')}.` : message;
}

interface FailureProps {
  error: unknown;
  title?: string;
  /** Replaces the message. */
  text?: string;
  onRetry?: () => void;
}

export function Failure({ error, title, text = getErrorMessage(error), onRetry }: FailureProps) {
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
            Request ID {requestId}
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
