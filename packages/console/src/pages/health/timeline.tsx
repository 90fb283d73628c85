import { Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type CSSProperties, useMemo, useState } from 'react';
import type { HealthEvent } from '../../api/health.ts';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { levelOrder } from './event-words.ts';
import marks from './marks.module.css';
import { LevelMark, StatusBadge } from './marks.tsx';
import classes from './timeline.module.css';
import { type Span, type TimelineRow, timelineRows } from './timeline-rows.ts';

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short' });

interface TimelineProps {
  events: HealthEvent[];
  days: Date[];
  /** Not all of them could be read. */
  hasMore: boolean;
  /** Only this service, and this region, where they are named. */
  service: string;
  region: string;
  pathOf: (event: HealthEvent) => string;
}

interface Shown {
  row: TimelineRow;
  span: Span;
}

const isNamed = (chosen: string, name: string): boolean =>
  !chosen.trim() || chosen.trim().toLowerCase() === name.toLowerCase();

/** The days of each service and region on which something went on. */
export function Timeline({ events, days, hasMore, service, region, pathOf }: TimelineProps) {
  const [pointed, setPointed] = useState<Shown>();
  const [chosen, setChosen] = useState<Shown>();
  const rows = useMemo(
    () => timelineRows(events, days).filter((row) => isNamed(service, row.service) && isNamed(region, row.region)),
    [events, days, service, region],
  );
  const months = useMemo(() => monthsOf(days), [days]);
  if (rows.length === 0) {
    return (
      <Empty icon={<IconCircleCheck size={32} aria-hidden />}>
        Nothing of the kind went on in the last {days.length} days.
      </Empty>
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
          There are more events than the {events.length.toLocaleString()} in this picture. Filter to see all of some.
        </Text>
      )}
      <Paper withBorder className={classes.frame}>
        <Table
          withRowBorders={false}
          role="table"
          className={classes.table}
          aria-label={`The last ${days.length} days by service and region`}
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
      <Panel shown={pointed ?? chosen} days={days} pathOf={pathOf} />
    </Stack>
  );
}

interface Month {
  label: string;
  left: string;
  isLate: boolean;
}

/** The first days of months; one that begins too near to the end has no room for its name, on a phone or at all. */
const monthsOf = (days: Date[]): Month[] =>
  days.flatMap((day, index) => {
    if (day.getDate() !== 1) return [];
    const rest = days.length - index;
    return [{ label: rest > 8 ? month.format(day) : '', left: percent(index, days), isLate: rest < 20 }];
  });

const percent = (count: number, days: Date[]): string => `${((count / days.length) * 100).toFixed(3)}%`;

function rangeOf({ from, to }: Span, days: Date[]): string {
  const [first = new Date(), last = first] = [days[from], days[to]];
  return from === to ? short.format(first) : short.formatRange(first, last);
}

/** In hundredths of the strip: where its middle is, and how much of it are its days. */
function positionOf({ from, to }: Span, days: Date[]): CSSProperties {
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
        style={positionOf(span, days)}
        aria-label={`${rangeOf(span, days)}, ${span.level}: ${span.events.map(({ properties }) => properties.title).join('; ')}`}
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
  pathOf: (event: HealthEvent) => string;
}

/** The events of the days that are pointed at, or else were chosen: it stays, so that its links can be reached. */
const Panel = ({ shown, days, pathOf }: PanelProps) => (
  <Paper withBorder p="sm" shadow="sm" className={shown && classes.panel} aria-live="polite">
    {shown ? (
      <Stack gap={4}>
        <Text size="xs" c="dimmed">
          {rangeOf(shown.span, days)} · {shown.row.service} · {shown.row.region}
        </Text>
        {shown.span.events.slice(0, 5).map((event) => (
          <Group key={event.name} gap="xs" wrap="nowrap" align="center">
            <StatusBadge status={event.properties.status} />
            <TextLink to={pathOf(event)} size="sm">
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
        Point at a bar, or move to it by keyboard, to see the events of those days.
      </Text>
    )}
  </Paper>
);
