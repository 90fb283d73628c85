import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './charts.module.css';
import { Delta } from './delta.tsx';
import { formatNumber, formatShare } from './numbers.ts';

export interface Bar {
  name: string;
  /** Replaces the name. */
  label?: ReactNode;
  count: number;
  previous?: number;
}

interface BarListProps {
  /** The dimension, such as "Country". */
  dimension: string;
  measure: string;
  bars: Bar[];
  /** Shares are of this total; by default, the sum of the bars. */
  total: number;
}

/** The largest values, as bars in a table. */
export function BarList({ dimension, measure, bars, total }: BarListProps) {
  if (bars.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No data in this period.
      </Text>
    );
  const max = Math.max(1, ...bars.map(({ count }) => count));
  // Without earlier data, every value would be new.
  const isCompared = bars.some(({ previous = 0 }) => previous > 0);
  return (
    <div className={classes.barList}>
      <table className={classes.bars}>
        <thead>
          <tr>
            <th scope="col" style={{ width: '38%' }}>
              {dimension}
            </th>
            <td className={classes.barCell} />
            <th scope="col" style={{ width: 64, textAlign: 'right' }}>
              {measure}
            </th>
            <th scope="col" style={{ width: 58, textAlign: 'right' }}>
              Share
            </th>
            {isCompared && (
              <th scope="col" style={{ width: 72, textAlign: 'right' }}>
                Change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, label, count, previous }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {label ?? name}
              </th>
              <td className={classes.barCell}>
                <div className={classes.track} aria-hidden>
                  <div
                    className={classes.bar}
                    style={{ width: `${(100 * count) / max}%`, minWidth: count > 0 ? 2 : 0 }}
                  />
                </div>
              </td>
              <td>{formatNumber(count)}</td>
              <td>{formatShare(count, total)}</td>
              {isCompared && (
                <td>
                  {previous === undefined ? (
                    '—'
                  ) : (
                    <Delta now={count} before={previous} fallback={previous === 0 ? 'New' : '—'} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
