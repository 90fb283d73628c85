import { Code, List, Stack, Text } from '@mantine/core';
import type { Attempt, Delivery } from '../../api/webhooks.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Time } from '../../components/text/time.tsx';

/** Result of an attempt. */
export function formatResponse(attempt: Attempt | undefined): string {
  if (!attempt) return '—';
  return attempt.status?.toString() ?? attempt.error ?? '—';
}

/** Attempts of a delivery, oldest first. */
export const Attempts = ({
  delivery: { messageId, attempts },
}: {
  delivery: Pick<Delivery, 'messageId' | 'attempts'>;
}) => (
  <Stack>
    <div>
      <Text size="xs" c="dimmed">
        webhook-id
      </Text>
      <Copyable value={messageId} label="webhook-id" />
    </div>
    {attempts.length === 0 && <Text>No attempts yet.</Text>}
    <List listStyleType="none" spacing="sm">
      {attempts.map((attempt) => (
        <List.Item key={attempt.at}>
          <Text size="sm">
            <Text span fw={600} inherit>
              {formatResponse(attempt)}
            </Text>{' '}
            after {attempt.milliseconds.toLocaleString()} ms, <Time at={attempt.at} />
          </Text>
          {attempt.answer && (
            <Code block mt={4}>
              {attempt.answer}
            </Code>
          )}
        </List.Item>
      ))}
    </List>
  </Stack>
);
