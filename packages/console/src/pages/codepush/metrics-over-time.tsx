import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type MetricsInterval, type MetricsPeriod, useMetricsOverTime } from '../../api/releases/codepush.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { formatDay, LineChart } from '../../components/charts/line-chart.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const CHART = 220;
/** More lines would be indistinguishable. */
const MAX_LINES = 5;

const counts = { installed: 'Installed', downloaded: 'Downloaded', failed: 'Rolled back' } as const;
type Count = keyof typeof counts;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const hourFormat = {
  short: (time: string) => clock.format(new Date(time)),
  full: (time: string) => moment.format(new Date(time)),
};

const spanByInterval: Record<MetricsInterval, { days: number; label: string }> = {
  P1D: { days: 28, label: 'Last 28 days' },
  PT1H: { days: 2, label: 'Last 48 hours' },
};

/** Releases of the chart, one line each. */
const toSeries = (periods: MetricsPeriod[], labels: string[], count: Count) =>
  labels.map((name) => ({
    name,
    values: periods.map((period) => period.labels.find(({ label }) => label === name)?.[count] ?? 0),
  }));

/** Device reports of the latest releases, by day or hour. */
export function MetricsOverTime({ deployment, releases }: { deployment: string; releases: string[] }) {
  const { appRef } = useCurrentApp();
  const [interval, setInterval] = useState<MetricsInterval>('P1D');
  const [count, setCount] = useState<Count>('installed');
  const query = useMetricsOverTime(appRef, deployment, { interval, days: spanByInterval[interval].days });
  const newest = releases.slice(-MAX_LINES);
  const title = `${counts[count]} by ${interval === 'P1D' ? 'day' : 'hour'}`;
  const format = interval === 'P1D' ? formatDay : hourFormat.full;
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Metric"
          data={Object.entries(counts).map(([value, label]) => ({ value, label }))}
          value={count}
          onChange={(value) => setCount(value as Count)}
        />
        <SegmentedControl
          aria-label="Period"
          data={Object.entries(spanByInterval).map(([value, { label }]) => ({ value, label }))}
          value={interval}
          onChange={(value) => setInterval(value as MetricsInterval)}
        />
      </Group>
      <ChartFrame
        title={title}
        query={query}
        height={CHART}
        table={(periods) => ({
          head: ['Start', ...newest],
          rows: toSeries(periods, newest, count).reduce<(string | number)[][]>(
            (rows, { values }) => rows.map((row, at) => [...row, values[at] ?? 0]),
            periods.map(({ start }) => [format(start)]),
          ),
        })}
      >
        {(periods) => (
          <LineChart
            label={title}
            height={CHART}
            times={periods.map(({ start }) => start)}
            series={toSeries(periods, newest, count)}
            {...(interval === 'PT1H' ? { timeFormat: hourFormat } : {})}
          />
        )}
      </ChartFrame>
    </>
  );
}
