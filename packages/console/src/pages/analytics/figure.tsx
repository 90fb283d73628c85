import { Skeleton } from '@mantine/core';
import { asChange, inFull } from '../../parts/charts/numbers.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded, type Reading } from '../../parts/loaded.tsx';

export interface Figure {
  value: number;
  /** In the period before. */
  previous?: number;
}

interface ReadFigureProps {
  label: string;
  reading: Reading<Figure>;
  format?: (value: number) => string;
}

/** A figure, and how it has changed. */
export const ReadFigure = ({ label, reading, format = inFull }: ReadFigureProps) => (
  <Loaded reading={reading} outline={<Skeleton height={104} role="status" aria-label="Loading" />}>
    {({ value, previous }) => (
      <FigureCard
        label={label}
        value={format(value)}
        note={previous === undefined ? 'Not compared' : compared(value, previous, format)}
      />
    )}
  </Loaded>
);

const compared = (now: number, before: number, format: (value: number) => string): string => {
  const change = asChange(now, before);
  return change ? `${change} from ${format(before)}` : 'Nothing before';
};
