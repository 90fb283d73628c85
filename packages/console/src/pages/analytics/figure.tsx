import { Skeleton } from '@mantine/core';
import { Delta, type DeltaProps } from '../../components/charts/delta.tsx';
import { FigureCard } from '../../components/charts/figure-card.tsx';
import { formatNumber } from '../../components/charts/numbers.ts';
import { QueryBoundary, type QueryState } from '../../components/feedback/query-boundary.tsx';

export interface Figure {
  value: number;
  /** Value of the previous period; undefined if it is not compared. */
  previous?: number;
}

interface ReadFigureProps extends Pick<DeltaProps, 'better' | 'isPercentage' | 'isAverage'> {
  label: string;
  query: QueryState<Figure>;
  format?: (value: number) => string;
}

/** A figure with its change. */
export const ReadFigure = ({ label, query, format = formatNumber, ...delta }: ReadFigureProps) => (
  <QueryBoundary query={query} skeleton={<Skeleton height={104} role="status" aria-label="Loading" />}>
    {({ value, previous }) => (
      <FigureCard
        label={label}
        value={format(value)}
        note={
          previous === undefined ? (
            'Not compared'
          ) : previous === 0 ? (
            'No earlier data'
          ) : (
            <>
              <Delta now={value} before={previous} fallback="" {...delta} /> from {format(previous)}
            </>
          )
        }
      />
    )}
  </QueryBoundary>
);
