import { Alert, Button, Code, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { StackFrame, Stacktrace } from '../../api/telemetry/crashes.ts';
import { Copyable, copyText } from '../../components/text/copyable.tsx';
import { formatCount } from '../../components/text/format-count.ts';

type Exception = NonNullable<Stacktrace['exceptions']>[number];

/** Stack trace as text, for tickets. */
function stackText({ exceptions = [] }: Stacktrace): string {
  return exceptions
    .flatMap(({ type, reason, frames }, at) => [
      `${at > 0 ? 'Caused by: ' : ''}${[type, reason].filter(Boolean).join(': ')}`,
      ...frames.map(({ code_formatted }) => `    at ${code_formatted}`),
    ])
    .join('\n');
}

/** Highlights frames of the app and folds library frames between them. */
function Frames({ frames }: { frames: StackFrame[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const hasOurs = frames.some(({ app_code }) => app_code);
  const shown = showsAll || !hasOurs ? frames : frames.filter(({ app_code }) => app_code);
  const left = frames.length - shown.length;
  return (
    <Stack gap={2}>
      {shown.map((frame, at) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: frames have no other identity
          key={at}
          size="sm"
          ff="monospace"
          fw={frame.app_code ? 600 : 400}
          c={frame.app_code ? undefined : 'dimmed'}
          style={{ overflowWrap: 'anywhere' }}
        >
          {frame.code_formatted}
        </Text>
      ))}
      {hasOurs && frames.length > shown.length && (
        <UnstyledButton onClick={() => setShowsAll(true)}>
          <Text size="sm" c="blue">
            Show {formatCount(left, 'library frame')}
          </Text>
        </UnstyledButton>
      )}
    </Stack>
  );
}

const ExceptionView = ({ exception, isCause }: { exception: Exception; isCause: boolean }) => (
  <Stack gap={4}>
    <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
      {isCause && 'Caused by '}
      {exception.type}
      {exception.reason && `: ${exception.reason}`}
    </Text>
    <Frames frames={exception.frames} />
  </Stack>
);

/** Exception with causes, a hint about missing symbols, and the other threads. */
export function StackView({ stack }: { stack: Stacktrace }) {
  const [isEveryThread, setEveryThread] = useState(false);
  const { exceptions = [], threads = [], missing_symbols = [], notes = [] } = stack;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Group justify="flex-end">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCopy size={14} aria-hidden />}
            onClick={() => void copyText(stackText(stack))}
          >
            Copy as text
          </Button>
        </Group>
        {missing_symbols.map(({ id, message, command }) => (
          <Alert key={id} color="orange" title={message}>
            {command && <Copyable value={command} label="command" />}
          </Alert>
        ))}
        {exceptions.map((exception, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: causes have no other identity
          <ExceptionView key={at} exception={exception} isCause={at > 0} />
        ))}
        {threads.length > 0 && (
          <Button variant="default" size="xs" onClick={() => setEveryThread(!isEveryThread)} w="fit-content">
            {isEveryThread ? 'Hide threads' : `Show threads (${threads.length})`}
          </Button>
        )}
        {isEveryThread &&
          threads.map(({ title, crashed, frames }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: threads have no other identity
            <Stack key={at} gap={4}>
              <Text fw={600}>
                {title}
                {crashed && ' (crashed)'}
              </Text>
              <Frames frames={frames} />
            </Stack>
          ))}
        {notes.map((note) => (
          <Code key={note} block>
            {note}
          </Code>
        ))}
      </Stack>
    </Paper>
  );
}
