import { NativeSelect, Stack, Text } from '@mantine/core';
import { useRetention } from '../../api/explore.ts';
import { ChartFrame } from '../../parts/charts/chart-frame.tsx';
import { dayInWords } from '../../parts/charts/line-chart.tsx';
import { asShare, inFull } from '../../parts/charts/numbers.ts';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { AnalyticsBar, useAsked } from './analytics-bar.tsx';
import { KeepChart } from './keep-chart.tsx';
import classes from './retention.module.css';

const widths = { P1D: 'day', P1W: 'week', P30D: '30 days' } as const;
type Width = keyof typeof widths;
const isWidth = (text: string): text is Width => Object.hasOwn(widths, text);
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const HEIGHT = 280;

/** A share as a colour that leaves the text on it readable in both schemes. */
const ground = (share: number): string =>
  `color-mix(in srgb, var(--mantine-primary-color-filled) ${Math.round(share * 45)}%, transparent)`;

/** How many of those who came once come again. */
export default function RetentionPage() {
  const { appRef } = useAppHere();
  const { asked, days, versions } = useAsked();
  const [given, setWidth] = useUrlState('interval');
  const interval: Width = isWidth(given) ? given : 'P1W';
  const reading = useRetention(appRef, { ...asked, interval });
  const filters = versions.length > 0 ? { filters: { versions } } : {};
  return (
    <Page
      title="Retention"
      lead="Devices by when they were first seen, and how many of them came back."
      actions={<KeepChart question={{ kind: 'retention', days: days.days, interval, ...filters }} />}
    >
      <Stack gap="md">
        <AnalyticsBar canCompare={false} />
        <NativeSelect
          label="By"
          size="xs"
          w={150}
          value={interval}
          onChange={({ currentTarget }) => setWidth(currentTarget.value)}
          data={Object.entries(widths).map(([value, words]) => ({ value, label: capital(words) }))}
        />
        <ChartFrame
          title="Devices that came back"
          lead={`Of the devices that were first seen in a ${widths[interval]}, the share that was active in each later one.`}
          reading={reading}
          height={HEIGHT}
          table={({ cohorts }) => ({
            head: ['First seen', 'Devices', ...cohorts.map((_, at) => `After ${at}`)],
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
                No device was first seen in this time.
              </Text>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
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
                        <th scope="row">{dayInWords(datetime)}</th>
                        <th>{inFull(device_count)}</th>
                        {active_counts.map((count, at) => (
                          <td
                            key={cohorts[at]?.datetime}
                            title={`${inFull(count)} of ${inFull(device_count)}`}
                            style={{ background: ground(device_count > 0 ? count / device_count : 0) }}
                          >
                            {device_count > 0 ? asShare(count, device_count) : '—'}
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
