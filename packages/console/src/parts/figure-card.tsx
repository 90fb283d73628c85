import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ToldSparkline } from './charts/sparkline.tsx';
import { TextLink } from './links.tsx';

interface FigureCardProps {
  label: string;
  value: ReactNode;
  /** What it was of late, oldest first. */
  history?: number[];
  /** What it means, or of when it is. */
  note?: ReactNode;
  /** The page that tells more. */
  to?: string;
}

/** One figure, with a small curve of how it came to be. */
export const FigureCard = ({ label, value, history, note, to }: FigureCardProps) => (
  <Paper withBorder p="md">
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {to ? (
          <TextLink to={to} size="xs">
            {label}
          </TextLink>
        ) : (
          label
        )}
      </Text>
      <Group justify="space-between" wrap="nowrap" align="flex-end">
        <Text fz={26} fw={650} lh={1.2}>
          {value}
        </Text>
        {history && history.length > 1 && <ToldSparkline label={label} values={history} />}
      </Group>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  </Paper>
);
