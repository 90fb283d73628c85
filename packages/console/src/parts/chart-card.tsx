import { Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { seriesColor } from '../design/palette.ts';
import classes from './chart-card.module.css';
import { stackBars } from './chart-geometry.ts';

export interface Series {
  label: string;
  values: number[];
}

interface ChartCardProps {
  title: string;
  /** What stands below the bars, one for each. */
  labels: string[];
  series: Series[];
  actions?: ReactNode;
}

const HEIGHT = 100;
const SLOT = 10;

/** Bars of some series over time; the table says the same to those who do not see them. */
export const ChartCard = ({ title, labels, series, actions }: ChartCardProps) => {
  const columns = stackBars(
    series.map(({ values }) => values),
    HEIGHT,
  );
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          {actions}
        </Group>
        <svg
          aria-hidden
          className={classes.bars}
          viewBox={`0 0 ${Math.max(1, columns.length) * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {columns.map((parts, at) =>
            parts.map(({ series: which, y, height }) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                key={`${at} ${which}`}
                x={at * SLOT + 1}
                y={y}
                width={SLOT - 2}
                height={height}
                fill={seriesColor(which)}
              >
                <title>{`${labels[at] ?? ''}, ${series[which]?.label}: ${series[which]?.values[at]?.toLocaleString()}`}</title>
              </rect>
            )),
          )}
        </svg>
        <Group justify="space-between" aria-hidden>
          {[labels[0], labels.at(-1)].map((label, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the first and the last
            <Text key={at} size="xs" c="dimmed">
              {label}
            </Text>
          ))}
        </Group>
        {series.length > 1 && (
          <Group gap="md" aria-hidden>
            {series.map(({ label }, at) => (
              <Group key={label} gap={6}>
                <span className={classes.mark} style={{ background: seriesColor(at) }} />
                <Text size="xs">{label}</Text>
              </Group>
            ))}
          </Group>
        )}
        <VisuallyHidden>
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, at) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ label, values }) => (
                    <td key={label}>{values[at]?.toLocaleString() ?? '0'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </VisuallyHidden>
      </Stack>
    </Paper>
  );
};
