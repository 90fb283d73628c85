import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type AppOverview, useAppOverview, useTelemetry } from '../../api/overview.ts';
import { useStableVersions } from '../../api/telemetry/crashes.ts';
import type { QueryState } from '../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { DEFAULT_SPAN, parseDateRange, toAnalyticsFilter } from '../analytics/date-range.ts';
import { BuildStateBadge } from '../builds/build-labels.tsx';
import { inPercent } from '../crashes/issue-labels.tsx';
import { RowsSkeleton } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { VISIBLE_ROWS, versionLabels } from './product-card-layout.ts';
import { summarizeVersions } from './version-summary.ts';

/** The default period of analytics pages, so that links show the same figures. */
const lastDays = () => toAnalyticsFilter(parseDateRange(DEFAULT_SPAN, Date.now()), '');

/** A failed figure doesn't hide the others. */
const orDash = <T,>({ data, error }: Pick<QueryState<T>, 'data' | 'error'>, value: (data: T) => string | number) =>
  data === undefined ? (error ? '—' : undefined) : value(data);

/** The latest release with its adoption, and the stability of the newest version on devices. */
export function LatestRelease() {
  const { appRef, params } = useCurrentApp();
  const overview = useAppOverview(appRef);
  const versions = useStableVersions(appRef, lastDays().start, true);
  const telemetry = useTelemetry(appRef, true);
  const latest = overview.data?.latest_release;
  const [newest, before] = summarizeVersions(versions.data ?? []);
  // Without a release, devices run versions distributed elsewhere.
  const run = latest?.short_version ?? newest?.version;
  const crashes = pathTo('appCrashes', params, { version: newest?.version });
  const share = (total: number) => {
    const own = summarizeVersions(versions.data ?? []).find(({ version }) => version === run)?.devices ?? 0;
    return total > 0 ? inPercent(Math.min(100, Math.round((own / total) * 1000) / 10)) : '—';
  };
  return (
    <Figures
      hasNotes
      figures={[
        {
          label: versionLabels[0],
          value: orDash(overview, () => latest?.short_version ?? 'None'),
          to: latest ? pathTo('appRelease', { ...params, release: String(latest.id) }) : pathTo('appReleases', params),
          note: latest && <Time at={latest.uploaded_at} />,
        },
        {
          label: versionLabels[1],
          value:
            overview.data === undefined && !overview.error
              ? undefined
              : orDash(versions, () => '') === undefined
                ? undefined
                : orDash(telemetry, ({ monthlyDevices }) => share(monthlyDevices)),
          to: pathTo('appAnalytics', params, { version: run }),
          note: latest || !run ? 'share of devices, last 28 days' : `${run}, last 28 days`,
        },
        {
          label: versionLabels[2],
          value: orDash(versions, () => (newest ? inPercent(newest.crashFree) : '—')),
          to: crashes,
          note:
            newest &&
            (before
              ? `in ${newest.version}; ${inPercent(before.crashFree)} in ${before.version}`
              : `in ${newest.version}`),
        },
        {
          label: versionLabels[3],
          value: orDash(telemetry, ({ sessions, crashFreeSessions }) =>
            sessions.some((count) => count > 0) ? inPercent(crashFreeSessions) : '—',
          ),
          to: pathTo('appCrashes', params),
          note: 'all versions, last 28 days',
        },
      ]}
    />
  );
}

interface RowsProps<T> {
  query: Pick<QueryState<T[]>, 'data' | 'error'>;
  none: string;
  row: (one: T) => { key: string; content: ReactNode; when?: ReactNode };
}

/** The first rows of a list, as many as fit. */
function OverviewRows<T>({ query: { data, error }, none, row }: RowsProps<T>) {
  if (data === undefined && !error) return <RowsSkeleton rows={VISIBLE_ROWS} />;
  if (!data?.length) {
    return (
      <Text size="sm" c="dimmed" className={classes.row}>
        {error ? "Couldn't load this data." : none}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {data.slice(0, VISIBLE_ROWS).map((one) => {
        const { key, content, when } = row(one);
        return (
          <li key={key} className={classes.row}>
            <span className={classes.line}>{content}</span>
            {when && <span className={classes.when}>{when}</span>}
          </li>
        );
      })}
    </ul>
  );
}

type Rows<Name extends 'builds' | 'test_runs' | 'deployments'> = NonNullable<AppOverview[Name]>;

function useRows<Name extends 'builds' | 'test_runs' | 'deployments'>(name: Name) {
  const { data, error } = useAppOverview(useCurrentApp().appRef);
  return { data: data && ((data[name] ?? []) as Rows<Name>), error };
}

export function LatestBuilds() {
  const { params } = useCurrentApp();
  return (
    <OverviewRows
      query={useRows('builds')}
      none="No builds yet"
      row={(build) => ({
        key: String(build.id),
        content: (
          <>
            <BuildStateBadge build={build} />{' '}
            <TextLink to={pathTo('appBuild', { ...params, build: String(build.id) })} size="sm">
              {build.id} of {build.branch}
            </TextLink>
          </>
        ),
        when: <Time at={build.queued_at} />,
      })}
    />
  );
}

export function LatestTestRuns() {
  const { params } = useCurrentApp();
  return (
    <OverviewRows
      query={useRows('test_runs')}
      none="No test runs yet"
      row={({ id, series, created_at, ...run }) => ({
        key: id,
        content: (
          <>
            <TestRunBadge {...run} />{' '}
            <TextLink to={pathTo('appTestRun', { ...params, series: series ?? 'all', run: id })} size="sm">
              {series ?? 'Test run'}
            </TextLink>
          </>
        ),
        when: <Time at={created_at} />,
      })}
    />
  );
}

const TestRunBadge = ({
  status,
  result,
  passed,
  failed,
}: Pick<Rows<'test_runs'>[number], 'status' | 'result' | 'passed' | 'failed'>) => {
  if (status !== 'finished') return <Badge color="blue">{status === 'running' ? 'Running' : 'Queued'}</Badge>;
  if (failed > 0) return <Badge color="red">{failed} failed</Badge>;
  if (result === 'error') return <Badge color="red">Not completed</Badge>;
  if (result === 'stopped') return <Badge color="gray">Stopped</Badge>;
  return <Badge color="green">{passed} passed</Badge>;
};

export function OverTheAir() {
  const { params } = useCurrentApp();
  return (
    <OverviewRows
      query={useRows('deployments')}
      none="No deployments yet"
      row={({ name, ...counts }) => ({
        key: name,
        content: (
          <>
            <TextLink to={pathTo('appDeployment', { ...params, deployment: name })} size="sm">
              {name}
            </TextLink>
            {formatAdoption(counts)}
          </>
        ),
      })}
    />
  );
}

/** Share of a deployment's devices that run its latest release. */
function formatAdoption({
  latest_label: label,
  latest_active,
  active,
}: Omit<Rows<'deployments'>[number], 'name'>): string {
  if (!label) return ' · no release yet';
  return active > 0
    ? ` · ${label} on ${inPercent(Math.round((latest_active / active) * 1000) / 10)} of ${formatCount(active, 'device')}`
    : ` · ${label} not installed yet`;
}
