import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Sparkline } from '../../parts/charts/sparkline.tsx';
import { TextLink } from '../../parts/links.tsx';
import classes from './overview.module.css';

export interface Figure {
  label: string;
  /** Not read yet if it is left out. */
  value: number | string | undefined;
  to?: string;
  /** Day by day, as a small curve. */
  curve?: number[];
  /** What to compare it with, or of when it is. */
  note?: ReactNode;
}

/** A few numbers with their names. */
export const Figures = ({ figures, hasNotes = false }: { figures: Figure[]; hasNotes?: boolean }) => (
  <dl className={classes.figures}>
    {figures.map(({ label, value, to, curve, note }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a label may change, its place does not.
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
            <Sparkline values={curve} />
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
