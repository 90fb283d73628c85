import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type MetricsInterval, type MetricsPeriod, useMetricsOverTime } from '../../api/codepush.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { dayInWords, LineChart } from '../../parts/charts/line-chart.tsx';
import { useAppHere } from '../../parts/may.ts';

const CHART = 220;
/** More lines than these cannot be told apart. */
const MOST_LINES = 5;

const counts = { installed: 'Installed', downloaded: 'Downloaded', failed: 'Went back' } as const;
type Count = keyof typeof counts;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const hourWords = {
  short: (time: string) => clock.format(new Date(time)),
  full: (time: string) => moment.format(new Date(time)),
};

const asked: Record<MetricsInterval, { days: number; label: string }> = {
  P1D: { days: 28, label: 'Last 28 days' },
  PT1H: { days: 2, label: 'Last 48 hours' },
};

/** One line for each of these releases. */
const linesOf = (periods: MetricsPeriod[], labels: string[], count: Count) =>
  labels.map((name) => ({
    name,
    values: periods.map((period) => period.labels.find(({ label }) => label === name)?.[count] ?? 0),
  }));

/** What devices reported of the newest releases, by day or by hour. */
export function MetricsOverTime({ deployment, releases }: { deployment: string; releases: string[] }) {
  const { appRef } = useAppHere();
  const [interval, setInterval] = useState<MetricsInterval>('P1D');
  const [count, setCount] = useState<Count>('installed');
  const reading = useMetricsOverTime(appRef, deployment, { interval, days: asked[interval].days });
  const newest = releases.slice(-MOST_LINES);
  const title = `${counts[count]} by ${interval === 'P1D' ? 'day' : 'hour'}`;
  const words = interval === 'P1D' ? dayInWords : hourWords.full;
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          aria-label="What is counted"
          data={Object.entries(counts).map(([value, label]) => ({ value, label }))}
          value={count}
          onChange={(value) => setCount(value as Count)}
        />
        <SegmentedControl
          aria-label="Time"
          data={Object.entries(asked).map(([value, { label }]) => ({ value, label }))}
          value={interval}
          onChange={(value) => setInterval(value as MetricsInterval)}
        />
      </Group>
      <ChartFrame
        title={title}
        reading={reading}
        height={CHART}
        table={(periods) => ({
          head: ['Start', ...newest],
          rows: linesOf(periods, newest, count).reduce<(string | number)[][]>(
            (rows, { values }) => rows.map((row, at) => [...row, values[at] ?? 0]),
            periods.map(({ start }) => [words(start)]),
          ),
        })}
      >
        {(periods) => (
          <LineChart
            label={title}
            height={CHART}
            times={periods.map(({ start }) => start)}
            series={linesOf(periods, newest, count)}
            {...(interval === 'PT1H' ? { timeWords: hourWords } : {})}
          />
        )}
      </ChartFrame>
    </>
  );
}
