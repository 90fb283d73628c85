import { ActionIcon, Group, Paper, Skeleton, Stack, Table, Text, Title, Tooltip } from '@mantine/core';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { QueryBoundary, type QueryState } from '../feedback/query-boundary.tsx';
import { toCsv } from '../tables/csv.ts';
import { download } from '../tables/download.ts';
import classes from './charts.module.css';

/** A chart as a table: for screen readers and CSV files. */
export interface ChartTable {
  head: string[];
  rows: (string | number)[][];
}

interface ChartFrameProps<T> {
  title: string;
  description?: ReactNode;
  query: QueryState<T>;
  /** Text for content that is as high as it is wide, in `cqw` of the frame. */
  height: number | string;
  /** The chart as a table; undefined where the chart already is one. */
  table: (data: T) => ChartTable;
  isTable?: boolean;
  children: (data: T) => ReactNode;
}

/** A chart with a title, a table view and a CSV download. Reserves its height before the data arrives. */
export function ChartFrame<T>({ title, description, query, height, table, isTable, children }: ChartFrameProps<T>) {
  const [isTableShown, setTableShown] = useState(false);
  const { data } = query;
  const save = () => {
    if (data === undefined) return;
    const { head, rows } = table(data);
    download(`${title.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, 'text/csv', toCsv([head, ...rows]));
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={title} className={classes.card}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h6">
              {title}
            </Title>
            {description && (
              <Text size="xs" c="dimmed">
                {description}
              </Text>
            )}
          </div>
          <Group gap={2} wrap="nowrap">
            {!isTable && (
              <CardButton
                label={isTableShown ? `Show ${title} as a chart` : `Show ${title} as a table`}
                icon={isTableShown ? <IconChartLine size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
                onClick={() => setTableShown(!isTableShown)}
              />
            )}
            <CardButton
              label={`Download ${title} as CSV`}
              icon={<IconDownload size={16} aria-hidden />}
              onClick={save}
            />
          </Group>
        </Group>
        <div className={classes.body} style={typeof height === 'number' ? { minHeight: height } : undefined}>
          <QueryBoundary query={query} skeleton={<Skeleton height={height} role="status" aria-label="Loading" />}>
            {(data) => (isTableShown ? <Figures title={title} height={height} table={table(data)} /> : children(data))}
          </QueryBoundary>
        </div>
      </Stack>
    </Paper>
  );
}

const CardButton = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Tooltip label={label} openDelay={400}>
    <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  </Tooltip>
);

const Figures = ({
  title,
  height,
  table: { head, rows },
}: {
  title: string;
  height: number | string;
  table: ChartTable;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
  <section aria-label={`Figures: ${title}`} tabIndex={0} className={classes.figures} style={{ height }}>
    <Table stickyHeader fz="xs" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {head.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={String(row[0])}>
            {row.map((value, at) => (
              <Table.Td key={head[at]}>{typeof value === 'number' ? value.toLocaleString() : value}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);
