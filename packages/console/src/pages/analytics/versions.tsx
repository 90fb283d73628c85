import { useAdoption, useVersions } from '../../api/analytics.ts';
import { BarList } from '../../parts/charts/bar-list.tsx';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { LineChart } from '../../parts/charts/line-chart.tsx';
import type { Reading } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useAsked } from './analytics-bar.tsx';
import { bar, Listing } from './listing.tsx';
import { counts, of } from './readings.ts';

/** The newest versions first, as people look for those. */
export function Versions() {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const versions = useVersions(appRef, asked);
  return (
    <Listing
      title="Versions"
      of="Version"
      reading={of(versions, (data) => ({
        total: data.total,
        bars: data.versions
          .toReversed()
          .map(({ version, count, previous_count }) => bar(version, count, previous_count)),
      }))}
    />
  );
}

/** Lines of more versions could not be told from each other. */
const ADOPTED = 5;

export function Adoption({ height }: { height: number }) {
  const { appRef } = useAppHere();
  const { asked } = useAsked();
  const versions = useVersions(appRef, asked);
  const largest = versions.data?.versions.toSorted((a, b) => b.count - a.count).slice(0, ADOPTED) ?? [];
  const adoption = useAdoption(
    appRef,
    asked,
    largest.map(({ version }) => version),
  );
  const reading: Reading<NonNullable<typeof adoption.data>> =
    versions.data && largest.length === 0 ? { ...versions, data: [] } : adoption;
  return (
    <ChartFrame
      title="Adoption of versions"
      lead="Active devices of the most used versions, by day"
      reading={reading}
      height={height}
      table={(data) => ({
        head: ['Day', ...data.map(({ version }) => version)],
        rows: (data[0]?.daily ?? []).map(({ datetime }, at) => [
          datetime.slice(0, 10),
          ...data.map(({ daily }) => daily[at]?.count ?? 0),
        ]),
      })}
    >
      {(data) =>
        data.length === 0 ? (
          <BarList of="Version" what="Devices" bars={[]} total={0} />
        ) : (
          <LineChart
            label="Adoption of versions"
            height={height}
            times={(data[0]?.daily ?? []).map(({ datetime }) => datetime)}
            series={data.map(({ version, daily }) => ({ name: version, values: counts(daily) }))}
          />
        )
      }
    </ChartFrame>
  );
}
