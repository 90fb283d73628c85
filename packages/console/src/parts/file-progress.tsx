import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SendingProgress } from '../api/file-parts.ts';
import { sizeInWords } from './size-words.ts';

interface FileProgressProps {
  fileName: string;
  size: number;
  progress: SendingProgress;
  /** What may be done meanwhile. */
  words: string;
  action?: ReactNode;
}

/** How much of a file has arrived. */
export function FileProgress({ fileName, size, progress: { sent, isWaiting }, words, action }: FileProgressProps) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          <strong>{fileName}</strong>: {sizeInWords(sent)} of {sizeInWords(size)}
        </Text>
        {action}
      </Group>
      <Progress value={Math.floor((100 * sent) / size)} aria-label={`Upload of ${fileName}`} size="lg" />
      <Text size="xs" c="dimmed" role="status">
        {isWaiting ? 'The connection was lost. It goes on where it stopped as soon as the server answers.' : words}
      </Text>
    </Stack>
  );
}
