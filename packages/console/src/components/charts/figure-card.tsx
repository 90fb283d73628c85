import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from '../text/links.tsx';
import { LabeledSparkline } from './sparkline.tsx';

interface FigureCardProps {
  label: string;
  value: ReactNode;
  /** Recent values, oldest first. */
  history?: number[];
  /** Explanation, or period. */
  note?: ReactNode;
  /** The page with details. */
  to?: string;
}

/** A figure with a sparkline. */
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
        <Text fz="figure" fw={650} lh={1.2}>
          {value}
        </Text>
        {history && history.length > 1 && <LabeledSparkline label={label} values={history} />}
      </Group>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  </Paper>
);
