import { useAdoption, useVersions } from '../../api/telemetry/analytics.ts';
import { BarList } from '../../components/charts/bar-list.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { LineChart } from '../../components/charts/line-chart.tsx';
import type { QueryState } from '../../components/feedback/query-boundary.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { useAnalyticsFilter } from './analytics-bar.tsx';
import { counts, mapQuery } from './query-data.ts';
import { bar, Ranking } from './ranking.tsx';

/** Newest versions first, because people look for those. */
export function Versions() {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const versions = useVersions(appRef, filter);
  return (
    <Ranking
      title="Versions"
      dimension="Version"
      query={mapQuery(versions, (data) => ({
        total: data.total,
        bars: data.versions
          .toReversed()
          .map(({ version, count, previous_count }) => bar(version, count, previous_count)),
      }))}
    />
  );
}

/** More lines would be indistinguishable. */
const ADOPTED = 5;

export function Adoption({ height }: { height: number }) {
  const { appRef } = useCurrentApp();
  const { filter } = useAnalyticsFilter();
  const versions = useVersions(appRef, filter);
  const largest = versions.data?.versions.toSorted((a, b) => b.count - a.count).slice(0, ADOPTED) ?? [];
  const adoption = useAdoption(
    appRef,
    filter,
    largest.map(({ version }) => version),
  );
  const query: QueryState<NonNullable<typeof adoption.data>> =
    versions.data && largest.length === 0 ? { ...versions, data: [] } : adoption;
  return (
    <ChartFrame
      title="Version adoption"
      description="Daily active devices of the most used versions"
      query={query}
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
          <BarList dimension="Version" measure="Devices" bars={[]} total={0} />
        ) : (
          <LineChart
            label="Version adoption"
            height={height}
            times={(data[0]?.daily ?? []).map(({ datetime }) => datetime)}
            series={data.map(({ version, daily }) => ({ name: version, values: counts(daily) }))}
          />
        )
      }
    </ChartFrame>
  );
}
