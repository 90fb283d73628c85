import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { TextLink } from '../../components/text/links.tsx';
import classes from './overview.module.css';

export interface Figure {
  label: string;
  /** Undefined while loading. */
  value: number | string | undefined;
  to?: string;
  /** Daily values for a sparkline, up to and including today. */
  curve?: number[];
  /** Comparison or period. */
  note?: ReactNode;
}

/** Figures with labels. */
export const Figures = ({ figures, hasNotes = false }: { figures: Figure[]; hasNotes?: boolean }) => (
  <dl className={classes.figures}>
    {figures.map(({ label, value, to, curve, note }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: labels may change, positions don't.
      <div key={at} className={classes.figure}>
        <dt className={classes.label}>
          {to ? (
            <TextLink to={to} size="xs">
              {label}
            </TextLink>
          ) : (
            label
          )}
        </dt>
        <dd className={classes.value}>
          <Value value={value} />
        </dd>
        {hasNotes && <dd className={classes.note}>{note}</dd>}
        {curve && (
          <dd className={classes.curve} aria-hidden>
            <Sparkline values={curve} endsToday />
          </dd>
        )}
      </div>
    ))}
  </dl>
);

function Value({ value }: Pick<Figure, 'value'>) {
  if (value === undefined) return <Skeleton height={24} width={56} my={4} />;
  return typeof value === 'number' ? value.toLocaleString() : value;
}
