import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import classes from './charts.module.css';
import { formatChange, formatPoints } from './numbers.ts';

export interface DeltaProps {
  now: number;
  before: number;
  /** Which direction is good; without one, the change has no color. */
  better?: 'higher' | 'lower' | undefined;
  /** Both values are percentages, so the change is in points. */
  isPercentage?: boolean | undefined;
  /** Both values are averages or ratios, which are meaningful even if they are small. */
  isAverage?: boolean | undefined;
  /** Instead of a change that can't be computed. */
  fallback?: string;
}

/** A change with its direction. The arrow says it without the color. */
export function Delta({ now, before, better, isPercentage = false, isAverage = false, fallback = '—' }: DeltaProps) {
  const text = isPercentage ? formatPoints(now, before) : formatChange(now, before, isAverage ? 0 : undefined);
  if (text === undefined) return fallback;
  const isSame = /^0/.test(text);
  const isHigher = now > before;
  const meaning = isSame || !better ? undefined : (better === 'higher') === isHigher ? 'good' : 'bad';
  const Arrow = isHigher ? IconArrowUpRight : IconArrowDownRight;
  return (
    <span className={classes.delta} data-meaning={meaning}>
      {!isSame && <Arrow size={14} stroke={2} aria-hidden style={{ verticalAlign: '-2px' }} />}
      {text}
    </span>
  );
}
