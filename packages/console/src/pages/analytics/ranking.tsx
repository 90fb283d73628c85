import { type Bar, BarList } from '../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { QueryState } from '../../components/feedback/query-boundary.tsx';
import { useAnalyticsFilter } from './analytics-bar.tsx';

const HEIGHT = 240;
/** Longer lists are unreadable; the CSV file contains all rows. */
const VISIBLE_BARS = 10;

export const bar = (name: string, count: number, previous: number): Bar => ({ name, count, previous });

interface RankingProps {
  title: string;
  dimension: string;
  measure?: string;
  query: QueryState<{ total: number; bars: Bar[] }>;
}

/** Devices or another measure, by the most frequent values. */
export function Ranking({ title, dimension, measure = 'Devices', query }: RankingProps) {
  const { isCompared } = useAnalyticsFilter();
  return (
    <ChartFrame
      title={title}
      query={query}
      height={HEIGHT}
      isTable
      table={({ bars }) => ({
        head: [dimension, measure, 'Previous'],
        rows: bars.map(({ name, count, previous }) => [name, count, previous ?? '']),
      })}
    >
      {({ total, bars }) => (
        <BarList
          dimension={dimension}
          measure={measure}
          total={total}
          bars={bars
            .slice(0, VISIBLE_BARS)
            .map(({ previous, ...one }) => (isCompared && previous !== undefined ? { ...one, previous } : one))}
        />
      )}
    </ChartFrame>
  );
}
