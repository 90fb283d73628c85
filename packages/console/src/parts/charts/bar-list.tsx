import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './charts.module.css';
import { asChange, asShare, inFull } from './numbers.ts';

export interface Bar {
  name: string;
  /** What stands there instead of the name. */
  label?: ReactNode;
  count: number;
  previous?: number;
}

interface BarListProps {
  /** What is counted by: "Country". */
  of: string;
  what: string;
  bars: Bar[];
  /** Shares are of this; the sum of the bars if absent. */
  total: number;
}

/** What there is most of, as bars in a table. */
export function BarList({ of, what, bars, total }: BarListProps) {
  if (bars.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing in this time.
      </Text>
    );
  const most = Math.max(1, ...bars.map(({ count }) => count));
  // Where nothing was before, everything would be new.
  const isCompared = bars.some(({ previous = 0 }) => previous > 0);
  return (
    <div className={classes.barList}>
      <table className={classes.bars}>
        <thead>
          <tr>
            <th scope="col" style={{ width: '38%' }}>
              {of}
            </th>
            <td className={classes.barCell} />
            <th scope="col" style={{ width: 64, textAlign: 'right' }}>
              {what}
            </th>
            <th scope="col" style={{ width: 58, textAlign: 'right' }}>
              Share
            </th>
            {isCompared && (
              <th scope="col" style={{ width: 62, textAlign: 'right' }}>
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
                    style={{ width: `${(100 * count) / most}%`, minWidth: count > 0 ? 2 : 0 }}
                  />
                </div>
              </td>
              <td>{inFull(count)}</td>
              <td>{asShare(count, total)}</td>
              {isCompared && <td>{previous === undefined ? '—' : (asChange(count, previous) ?? 'new')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
