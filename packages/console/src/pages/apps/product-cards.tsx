import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLatestBuilds } from '../../api/builds/builds.ts';
import { useTestRuns } from '../../api/builds/tests.ts';
import { useDeployments, useMetrics } from '../../api/releases/codepush.ts';
import { useReleases } from '../../api/releases/releases.ts';
import { useVersions } from '../../api/telemetry/analytics.ts';
import { useStability } from '../../api/telemetry/crashes.ts';
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

/** The default period of analytics pages, so that links show the same figures. */
const lastDays = () => toAnalyticsFilter(parseDateRange(DEFAULT_SPAN, Date.now()), '');

/** A failed figure doesn't hide the others. */
const orDash = <T,>({ data, error }: Pick<QueryState<T>, 'data' | 'error'>, value: (data: T) => string | number) =>
  data === undefined ? (error ? '—' : undefined) : value(data);

interface Stability {
  crash_free_devices: number;
  crash_free_sessions: number;
}

/** Version of the figure, and the value of the previous version. */
function against(
  [newest, before]: (string | undefined)[],
  share: (data: Stability) => number,
  earlier: Stability | undefined,
): string | undefined {
  if (!newest) return undefined;
  return before && earlier ? `in ${newest}; ${inPercent(share(earlier))} in ${before}` : `in ${newest}`;
}

/** The latest release with its adoption, and the stability of the newest version on devices. */
export function LatestRelease() {
  const { appRef, params } = useCurrentApp();
  const { start, end } = lastDays();
  const releases = useReleases(appRef);
  const versions = useVersions(appRef, { start, ...(end ? { end } : {}) });
  const [newest, before] = versions.data?.versions.toReversed().map(({ version }) => version) ?? [];
  const toStabilityQuery = (version: string | undefined) => ({
    start,
    ...(end ? { end } : {}),
    version: version ?? '',
  });
  const now = useStability(appRef, toStabilityQuery(newest), newest !== undefined);
  const earlier = useStability(appRef, toStabilityQuery(before), before !== undefined);
  const latest = releases.data?.[0];
  // Without a release, devices run versions distributed elsewhere.
  const run = latest?.short_version ?? newest;
  const crashes = pathTo('appCrashes', params, { version: newest });
  const share = () => {
    const { total = 0, versions: versionCounts = [] } = versions.data ?? {};
    const own = versionCounts.find(({ version }) => version === run)?.count ?? 0;
    return total > 0 ? inPercent(Math.round((own / total) * 1000) / 10) : '—';
  };
  const stable = (select: (data: Stability) => number) =>
    versions.data && newest === undefined
      ? '—'
      : orDash(now.isPlaceholderData ? { ...now, data: undefined } : now, (data) => inPercent(select(data)));
  return (
    <Figures
      hasNotes
      figures={[
        {
          label: versionLabels[0],
          value: orDash(releases, () => latest?.short_version ?? 'None'),
          to: latest ? pathTo('appRelease', { ...params, release: String(latest.id) }) : pathTo('appReleases', params),
          note: latest && <Time at={latest.uploaded_at} />,
        },
        {
          label: versionLabels[1],
          value: releases.data === undefined && !releases.error ? undefined : orDash(versions, share),
          to: pathTo('appAnalytics', params, { version: run }),
          note: latest || !run ? 'share of devices, last 28 days' : `${run}, last 28 days`,
        },
        {
          label: versionLabels[2],
          value: stable(({ crash_free_devices }) => crash_free_devices),
          to: crashes,
          note: against([newest, before], ({ crash_free_devices }) => crash_free_devices, earlier.data),
        },
        {
          label: versionLabels[3],
          value: stable(({ crash_free_sessions }) => crash_free_sessions),
          to: crashes,
          note: against([newest, before], ({ crash_free_sessions }) => crash_free_sessions, earlier.data),
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
function Rows<T>({ query: { data, error }, none, row }: RowsProps<T>) {
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

export function LatestBuilds() {
  const { appRef, params } = useCurrentApp();
  return (
    <Rows
      query={useLatestBuilds(appRef, VISIBLE_ROWS)}
      none="No builds yet"
      row={(build) => ({
        key: String(build.id),
        content: (
          <>
            <BuildStateBadge build={build} />{' '}
            <TextLink to={pathTo('appBuild', { ...params, build: String(build.id) })} size="sm">
              {build.buildNumber} of {build.sourceBranch}
            </TextLink>
          </>
        ),
        when: <Time at={build.queueTime} />,
      })}
    />
  );
}

export function LatestTestRuns() {
  const { appRef, params } = useCurrentApp();
  return (
    <Rows
      query={useTestRuns(appRef)}
      none="No test runs yet"
      row={({ id, testSeries, description, date, stats: { passed, failed } }) => ({
        key: id,
        content: (
          <>
            <Badge color={failed > 0 ? 'red' : 'green'}>{failed > 0 ? `${failed} failed` : `${passed} passed`}</Badge>{' '}
            <TextLink to={pathTo('appTestRun', { ...params, series: testSeries ?? 'all', run: id })} size="sm">
              {testSeries ?? description}
            </TextLink>
          </>
        ),
        when: <Time at={date} />,
      })}
    />
  );
}

export function OverTheAir() {
  const { appRef, params } = useCurrentApp();
  const query = useDeployments(appRef);
  return (
    <Rows
      query={query}
      none="No deployments yet"
      row={({ name, latest_release }) => ({
        key: name,
        content: (
          <>
            <TextLink to={pathTo('appDeployment', { ...params, deployment: name })} size="sm">
              {name}
            </TextLink>
            {latest_release ? <LabelShare deployment={name} label={latest_release.label ?? ''} /> : ' · no release yet'}
          </>
        ),
      })}
    />
  );
}

/** Share of a deployment's devices that run its latest release. */
function LabelShare({ deployment, label }: { deployment: string; label: string }) {
  const { appRef } = useCurrentApp();
  const { data } = useMetrics(appRef, deployment);
  const active = (data ?? []).reduce((sum, { active }) => sum + active, 0);
  const own = data?.find((one) => one.label === label)?.active ?? 0;
  if (!data) return ` · ${label}`;
  return active > 0
    ? ` · ${label} on ${inPercent(Math.round((own / active) * 1000) / 10)} of ${formatCount(active, 'device')}`
    : ` · ${label} not installed yet`;
}
