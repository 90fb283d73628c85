import { NativeSelect, Stack, Text } from '@mantine/core';
import { useRetention } from '../../api/telemetry/explore.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { formatDay } from '../../components/charts/line-chart.tsx';
import { formatNumber, formatShare } from '../../components/charts/numbers.ts';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { useUrlState } from '../../routing/url-state.ts';
import { AnalyticsBar, useAnalyticsFilter } from './analytics-bar.tsx';
import { SaveChart } from './explore/save-chart.tsx';
import classes from './retention.module.css';

const widths = { P1D: 'day', P1W: 'week', P30D: '30 days' } as const;
type Width = keyof typeof widths;
const isWidth = (text: string): text is Width => Object.hasOwn(widths, text);
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const HEIGHT = 280;

/** A background color for a share that keeps its text readable in both schemes. */
const ground = (share: number): string =>
  `color-mix(in srgb, var(--mantine-primary-color-filled) ${Math.round(share * 45)}%, transparent)`;

export default function RetentionPage() {
  const { appRef } = useCurrentApp();
  const { filter, days, versions } = useAnalyticsFilter();
  const [requestedWidth, setWidth] = useUrlState('interval');
  const interval: Width = isWidth(requestedWidth) ? requestedWidth : 'P1W';
  const query = useRetention(appRef, { ...filter, interval });
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  return (
    <Page
      title="Retention"
      description="How many new devices come back later."
      actions={<SaveChart definition={{ kind: 'retention', days: days.days, interval, ...filters }} />}
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <NativeSelect
          label="Interval"
          size="xs"
          w={150}
          value={interval}
          onChange={({ currentTarget }) => setWidth(currentTarget.value)}
          data={Object.entries(widths).map(([value, label]) => ({ value, label: capitalize(label) }))}
        />
        <ChartFrame
          title="Returning devices"
          description={`Share of the devices first seen in one ${widths[interval]} that were active in each later ${widths[interval]}.`}
          query={query}
          height={HEIGHT}
          table={({ cohorts }) => ({
            head: ['First seen', 'Devices', ...cohorts.map((_, at) => `+${at}`)],
            rows: cohorts.map(({ datetime, device_count, active_counts }) => [
              datetime.slice(0, 10),
              device_count,
              ...active_counts,
            ]),
          })}
        >
          {({ cohorts }) =>
            cohorts.every(({ device_count }) => device_count === 0) ? (
              <Text size="sm" c="dimmed">
                No new devices in this period.
              </Text>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
              <section aria-label="Retention by first seen" tabIndex={0} className={classes.scroll}>
                <table className={classes.cohorts}>
                  <thead>
                    <tr>
                      <th scope="col">First seen</th>
                      <th scope="col">Devices</th>
                      {cohorts.map(({ datetime }, at) => (
                        <th scope="col" key={datetime}>
                          {at === 0 ? `Same ${widths[interval]}` : `+${at}`}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {cohorts.map(({ datetime, device_count, active_counts }) => (
                      <tr key={datetime}>
                        <th scope="row">{formatDay(datetime)}</th>
                        <th>{formatNumber(device_count)}</th>
                        {active_counts.map((count, at) => (
                          <td
                            key={cohorts[at]?.datetime}
                            title={`${formatNumber(count)} of ${formatNumber(device_count)}`}
                            style={{ background: ground(device_count > 0 ? count / device_count : 0) }}
                          >
                            {device_count > 0 ? formatShare(count, device_count) : '—'}
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            )
          }
        </ChartFrame>
      </Stack>
    </Page>
  );
}
