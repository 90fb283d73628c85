import { Skeleton } from '@mantine/core';
import { FigureCard } from '../../components/charts/figure-card.tsx';
import { formatChange, formatNumber } from '../../components/charts/numbers.ts';
import { QueryBoundary, type QueryState } from '../../components/feedback/query-boundary.tsx';

export interface Figure {
  value: number;
  /** Value of the previous period. */
  previous?: number;
}

interface ReadFigureProps {
  label: string;
  query: QueryState<Figure>;
  format?: (value: number) => string;
}

/** A figure with its change. */
export const ReadFigure = ({ label, query, format = formatNumber }: ReadFigureProps) => (
  <QueryBoundary query={query} skeleton={<Skeleton height={104} role="status" aria-label="Loading" />}>
    {({ value, previous }) => (
      <FigureCard
        label={label}
        value={format(value)}
        note={previous === undefined ? 'Not compared' : compared(value, previous, format)}
      />
    )}
  </QueryBoundary>
);

const compared = (now: number, before: number, format: (value: number) => string): string => {
  const change = formatChange(now, before);
  return change ? `${change} from ${format(before)}` : 'No earlier data';
};
