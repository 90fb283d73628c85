import { type Bar, BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import type { Reading } from '../../parts/loaded.tsx';
import { useAsked } from './analytics-bar.tsx';

const HEIGHT = 240;
/** More would be a list that nobody reads; the file has all that was asked for. */
const SHOWN = 10;

export const bar = (name: string, count: number, previous: number): Bar => ({ name, count, previous });

interface ListingProps {
  title: string;
  of: string;
  what?: string;
  reading: Reading<{ total: number; bars: Bar[] }>;
}

/** Devices, or something else, by what they have most of. */
export function Listing({ title, of: by, what = 'Devices', reading }: ListingProps) {
  const { isCompared } = useAsked();
  return (
    <ChartFrame
      title={title}
      reading={reading}
      height={HEIGHT}
      isTable
      table={({ bars }) => ({
        head: [by, what, 'Before'],
        rows: bars.map(({ name, count, previous }) => [name, count, previous ?? '']),
      })}
    >
      {({ total, bars }) => (
        <BarList
          of={by}
          what={what}
          total={total}
          bars={bars
            .slice(0, SHOWN)
            .map(({ previous, ...one }) => (isCompared && previous !== undefined ? { ...one, previous } : one))}
        />
      )}
    </ChartFrame>
  );
}
