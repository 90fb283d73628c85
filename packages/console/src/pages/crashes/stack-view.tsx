import { Alert, Button, Code, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { StackFrame, Stacktrace } from '../../api/crashes.ts';
import { Copyable, copyText } from '../../parts/copyable.tsx';

type Exception = NonNullable<Stacktrace['exceptions']>[number];

/** The stack as text, for a ticket. */
function stackText({ exceptions = [] }: Stacktrace): string {
  return exceptions
    .flatMap(({ type, reason, frames }, at) => [
      `${at > 0 ? 'Caused by: ' : ''}${[type, reason].filter(Boolean).join(': ')}`,
      ...frames.map(({ code_formatted }) => `    at ${code_formatted}`),
    ])
    .join('\n');
}

/** Frames of the app stand out; those of others between them are folded. */
function Frames({ frames }: { frames: StackFrame[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const hasOurs = frames.some(({ app_code }) => app_code);
  const shown = showsAll || !hasOurs ? frames : frames.filter(({ app_code }) => app_code);
  const left = frames.length - shown.length;
  return (
    <Stack gap={2}>
      {shown.map((frame, at) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place
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
            {left === 1 ? 'Show 1 frame of others' : `Show ${left} frames of others`}
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

/** What went wrong, with its causes; why names are missing, and every other thread. */
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
            {command && <Copyable value={command} label="the command" />}
          </Alert>
        ))}
        {exceptions.map((exception, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cause is its place
          <ExceptionView key={at} exception={exception} isCause={at > 0} />
        ))}
        {threads.length > 0 && (
          <Button variant="default" size="xs" onClick={() => setEveryThread(!isEveryThread)} w="fit-content">
            {isEveryThread ? 'Hide threads' : `Show threads (${threads.length})`}
          </Button>
        )}
        {isEveryThread &&
          threads.map(({ title, crashed, frames }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a thread is its place
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
