import { SimpleGrid, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useCountries } from '../../api/analytics.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useAsked } from './analytics-bar.tsx';
import { bar, Listing } from './listing.tsx';
import { countryInWords } from './names.ts';
import { of } from './readings.ts';

const WorldMap = lazy(() => import('../../parts/charts/world-map.tsx'));

/** As the map is drawn: 350 to 720. */
const MAP = '48.6cqw';

export function Countries() {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const countries = of(useCountries(appRef, asked), ({ total, places }) => ({
    total,
    bars: places.map(({ code, count, previous_count }) => ({
      ...bar(code, count, previous_count),
      label: countryInWords(code),
    })),
  }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      <ChartFrame
        title="Where devices are"
        lead="By the country of their carrier"
        reading={countries}
        height={MAP}
        table={({ bars }) => ({
          head: ['Code', 'Country', 'Devices'],
          rows: bars.map(({ name, count }) => [name, countryInWords(name), count]),
        })}
      >
        {({ bars }) => (
          <Suspense fallback={<Skeleton height={MAP} role="status" aria-label="Loading" />}>
            <WorldMap
              label={`Map of the world: ${bars
                .slice(0, 3)
                .map(({ name, count }) => `${countryInWords(name)} ${count}`)
                .join(', ')}`}
              counts={new Map(bars.map(({ name, count }) => [name, count]))}
              nameOf={countryInWords}
            />
          </Suspense>
        )}
      </ChartFrame>
      <Listing title="Countries" of="Country" reading={countries} />
    </SimpleGrid>
  );
}
