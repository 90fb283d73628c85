import { SimpleGrid, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useCountries } from '../../api/telemetry/analytics.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { useAnalyticsFilter } from './analytics-bar.tsx';
import { formatCountry } from './locale-names.ts';
import { mapQuery } from './query-data.ts';
import { bar, Ranking } from './ranking.tsx';

const WorldMap = lazy(() => import('../../components/charts/world-map.tsx'));

/** Width to height of the map. */
const MAP = '48.6cqw';

export function Countries() {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const countries = mapQuery(useCountries(appRef, filter), ({ total, places }) => ({
    total,
    bars: places.map(({ code, count, previous_count }) => ({
      ...bar(code, count, previous_count),
      label: formatCountry(code),
    })),
  }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      <ChartFrame
        title="Devices by country"
        description="Country of the mobile carrier"
        query={countries}
        height={MAP}
        table={({ bars }) => ({
          head: ['Code', 'Country', 'Devices'],
          rows: bars.map(({ name, count }) => [name, formatCountry(name), count]),
        })}
      >
        {({ bars }) => (
          <Suspense fallback={<Skeleton height={MAP} role="status" aria-label="Loading" />}>
            <WorldMap
              label={`World map: ${bars
                .slice(0, 3)
                .map(({ name, count }) => `${formatCountry(name)} ${count}`)
                .join(', ')}`}
              counts={new Map(bars.map(({ name, count }) => [name, count]))}
              formatName={formatCountry}
            />
          </Suspense>
        )}
      </ChartFrame>
      <Ranking title="Countries" dimension="Country" query={countries} />
    </SimpleGrid>
  );
}
