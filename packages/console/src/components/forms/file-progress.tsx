import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SendingProgress } from '../../api/file-chunks.ts';
import { formatSize } from '../text/format-size.ts';

interface FileProgressProps {
  fileName: string;
  size: number;
  progress: SendingProgress;
  /** Hint for the time of the upload. */
  label: string;
  action?: ReactNode;
}

/** Upload progress of a file. */
export function FileProgress({ fileName, size, progress: { sent, isWaiting }, label, action }: FileProgressProps) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          <strong>{fileName}</strong>: {formatSize(sent)} of {formatSize(size)}
        </Text>
        {action}
      </Group>
      <Progress value={Math.floor((100 * sent) / size)} aria-label={`Upload of ${fileName}`} size="lg" />
      <Text size="xs" c="dimmed" role="status">
        {isWaiting ? 'Connection lost. The upload resumes when the server responds.' : label}
      </Text>
    </Stack>
  );
}
