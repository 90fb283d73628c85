import { Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type CSSProperties, useMemo, useState } from 'react';
import type { HealthEvent } from '../../../api/health/health.ts';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { TextLink } from '../../../components/text/links.tsx';
import marks from '../event-badges.module.css';
import { LevelMark, StatusBadge } from '../event-badges.tsx';
import { levelOrder } from '../event-labels.ts';
import classes from './timeline.module.css';
import { type Span, type TimelineRow, timelineRows } from './timeline-rows.ts';

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short' });

interface TimelineProps {
  events: HealthEvent[];
  days: Date[];
  /** True if not all events were loaded. */
  hasMore: boolean;
  /** Limits the rows to this service and region. */
  service: string;
  region: string;
  getPath: (event: HealthEvent) => string;
}

interface Shown {
  row: TimelineRow;
  span: Span;
}

const isNamed = (chosen: string, name: string): boolean =>
  !chosen.trim() || chosen.trim().toLowerCase() === name.toLowerCase();

/** Active days of each service and region. */
export function Timeline({ events, days, hasMore, service, region, getPath }: TimelineProps) {
  const [pointed, setPointed] = useState<Shown>();
  const [chosen, setChosen] = useState<Shown>();
  const rows = useMemo(
    () => timelineRows(events, days).filter((row) => isNamed(service, row.service) && isNamed(region, row.region)),
    [events, days, service, region],
  );
  const months = useMemo(() => listMonths(days), [days]);
  if (rows.length === 0) {
    return (
      <EmptyState icon={<IconCircleCheck size={32} aria-hidden />}>
        No matching events in the last {days.length} days.
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <Group gap="md">
        {levelOrder.map((level) => (
          <Text key={level} size="xs" c="dimmed" component="span">
            <LevelMark level={level} />
          </Text>
        ))}
      </Group>
      {hasMore && (
        <Text size="sm" role="note">
          The timeline shows {events.length.toLocaleString()} events, but there are more. Use filters to narrow them
          down.
        </Text>
      )}
      <Paper withBorder className={classes.frame}>
        <Table
          withRowBorders={false}
          role="table"
          className={classes.table}
          aria-label={`Last ${days.length} days by service and region`}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              <Table.Th role="columnheader" scope="col">
                Service
              </Table.Th>
              <Table.Th role="columnheader" scope="col">
                Region
              </Table.Th>
              <Table.Th role="columnheader" scope="col">
                <VisuallyHidden>Events by day</VisuallyHidden>
                <div className={classes.months} aria-hidden>
                  {months.map(({ label, left, isLate }) => (
                    <span key={left} style={{ left }} className={isLate ? classes.late : undefined}>
                      {label}
                    </span>
                  ))}
                  <span>Today</span>
                </div>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row, index) => {
              const isFirst = rows[index - 1]?.service !== row.service;
              return (
                <Table.Tr
                  key={`${row.service}\n${row.region}`}
                  role="row"
                  className={isFirst ? classes.first : undefined}
                >
                  <Table.Th role="rowheader" scope="row">
                    {isFirst ? row.service : <VisuallyHidden>{row.service}</VisuallyHidden>}
                  </Table.Th>
                  <Table.Th role="rowheader" scope="row" className={classes.region}>
                    {row.region}
                  </Table.Th>
                  <Table.Td role="cell">
                    <Strip
                      row={row}
                      days={days}
                      months={months}
                      chosen={chosen?.span}
                      onPoint={(span) => setPointed(span && { row, span })}
                      onChoose={(span) => setChosen({ row, span })}
                    />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Paper>
      <Panel shown={pointed ?? chosen} days={days} getPath={getPath} />
    </Stack>
  );
}

interface Month {
  label: string;
  left: string;
  isLate: boolean;
}

/** First days of months; labels too close to the end are left out on phones, or always. */
const listMonths = (days: Date[]): Month[] =>
  days.flatMap((day, index) => {
    if (day.getDate() !== 1) return [];
    const rest = days.length - index;
    return [{ label: rest > 8 ? month.format(day) : '', left: percent(index, days), isLate: rest < 20 }];
  });

const percent = (count: number, days: Date[]): string => `${((count / days.length) * 100).toFixed(3)}%`;

function formatRange({ from, to }: Span, days: Date[]): string {
  const [first = new Date(), last = first] = [days[from], days[to]];
  return from === to ? short.format(first) : short.formatRange(first, last);
}

/** Position in percent: center and width. */
function getPosition({ from, to }: Span, days: Date[]): CSSProperties {
  const share = ((to - from + 1) / days.length) * 100;
  const middle = (from / days.length) * 100 + share / 2;
  return { '--middle': middle.toFixed(3), '--share': share.toFixed(3) } as CSSProperties;
}

interface StripProps {
  row: TimelineRow;
  days: Date[];
  months: Month[];
  chosen: Span | undefined;
  onPoint: (span: Span | undefined) => void;
  onChoose: (span: Span) => void;
}

const Strip = ({ row, days, months, chosen, onPoint, onChoose }: StripProps) => (
  <div
    className={classes.strip}
    style={{
      backgroundImage: months.map(() => 'linear-gradient(var(--page), var(--page))').join(),
      backgroundPosition: months.map(({ left }) => `${left} 0`).join(),
    }}
  >
    {row.spans.map((span) => (
      <button
        key={span.from}
        type="button"
        className={marks.span}
        data-level={span.level}
        style={getPosition(span, days)}
        aria-label={`${formatRange(span, days)}, ${span.level}: ${span.events.map(({ properties }) => properties.title).join('; ')}`}
        aria-pressed={span === chosen}
        onMouseEnter={() => onPoint(span)}
        onMouseLeave={() => onPoint(undefined)}
        onFocus={() => onChoose(span)}
        onClick={() => onChoose(span)}
      />
    ))}
  </div>
);

interface PanelProps {
  shown: Shown | undefined;
  days: Date[];
  getPath: (event: HealthEvent) => string;
}

/** Events of the hovered or else selected days. The selection stays, so that its links can be reached. */
const Panel = ({ shown, days, getPath }: PanelProps) => (
  <Paper withBorder p="sm" shadow="sm" className={shown && classes.panel} aria-live="polite">
    {shown ? (
      <Stack gap={4}>
        <Text size="xs" c="dimmed">
          {formatRange(shown.span, days)} · {shown.row.service} · {shown.row.region}
        </Text>
        {shown.span.events.slice(0, 5).map((event) => (
          <Group key={event.name} gap="xs" wrap="nowrap" align="center">
            <StatusBadge status={event.properties.status} />
            <TextLink to={getPath(event)} size="sm">
              {event.properties.title}
            </TextLink>
          </Group>
        ))}
        {shown.span.events.length > 5 && (
          <Text size="xs" c="dimmed">
            and {(shown.span.events.length - 5).toLocaleString()} more
          </Text>
        )}
      </Stack>
    ) : (
      <Text size="sm" c="dimmed">
        Hover over a bar, or focus it, to see the events of those days.
      </Text>
    )}
  </Paper>
);
