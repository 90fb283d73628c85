import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useVersions } from '../../api/analytics.ts';
import { useLatestBuilds } from '../../api/builds.ts';
import { useDeployments, useMetrics } from '../../api/codepush.ts';
import { useStability } from '../../api/crashes.ts';
import { useReleases } from '../../api/releases.ts';
import { useTestRuns } from '../../api/tests.ts';
import { TextLink } from '../../parts/links.tsx';
import type { Reading } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Time } from '../../parts/time.tsx';
import { pathTo } from '../../paths.ts';
import { readDaysAsked, toAsked, USUAL } from '../analytics/asked-days.ts';
import { BuildStateBadge } from '../builds/build-words.tsx';
import { inPercent } from '../crashes/issue-words.tsx';
import { RowsOutline } from '../overview/card.tsx';
import { Figures } from '../overview/figures.tsx';
import classes from '../overview/overview.module.css';
import { SHOWN, versionLabels } from './product-sizes.ts';

/** The days that pages with figures show unless they are told others, so that a link leads to the same. */
const lastDays = () => toAsked(readDaysAsked(USUAL, Date.now()), '');

/** Where a figure cannot be read, the others still can. */
const orDash = <T,>({ data, error }: Pick<Reading<T>, 'data' | 'error'>, value: (data: T) => string | number) =>
  data === undefined ? (error ? '—' : undefined) : value(data);

interface Stability {
  crash_free_devices: number;
  crash_free_sessions: number;
}

/** Of which version it is, and what it was in the one before. */
function against(
  [newest, before]: (string | undefined)[],
  share: (data: Stability) => number,
  earlier: Stability | undefined,
): string | undefined {
  if (!newest) return undefined;
  return before && earlier ? `in ${newest}; ${inPercent(share(earlier))} in ${before}` : `in ${newest}`;
}

/** What was released last, who has it, and how stable the newest version is that devices run. */
export function LatestRelease() {
  const { appRef, params } = useAppHere();
  const { start, end } = lastDays();
  const releases = useReleases(appRef);
  const versions = useVersions(appRef, { start, ...(end ? { end } : {}) });
  const [newest, before] = versions.data?.versions.toReversed().map(({ version }) => version) ?? [];
  const asked = (version: string | undefined) => ({ start, ...(end ? { end } : {}), version: version ?? '' });
  const now = useStability(appRef, asked(newest), newest !== undefined);
  const earlier = useStability(appRef, asked(before), before !== undefined);
  const latest = releases.data?.[0];
  // Where nothing was released here, what devices run came from elsewhere.
  const run = latest?.short_version ?? newest;
  const crashes = pathTo('appCrashes', params, { version: newest });
  const share = () => {
    const { total = 0, versions: known = [] } = versions.data ?? {};
    const own = known.find(({ version }) => version === run)?.count ?? 0;
    return total > 0 ? inPercent(Math.round((own / total) * 1000) / 10) : '—';
  };
  const stable = (of: (data: Stability) => number) =>
    versions.data && newest === undefined
      ? '—'
      : orDash(now.isPlaceholderData ? { ...now, data: undefined } : now, (data) => inPercent(of(data)));
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
          note: latest || !run ? 'of those in 28 days' : `${run}, of those in 28 days`,
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
  reading: Pick<Reading<T[]>, 'data' | 'error'>;
  none: string;
  row: (one: T) => { key: string; content: ReactNode; when?: ReactNode };
}

/** A few of a list, on a line each; as many as there is room for. */
function Rows<T>({ reading: { data, error }, none, row }: RowsProps<T>) {
  if (data === undefined && !error) return <RowsOutline rows={SHOWN} />;
  if (!data?.length) {
    return (
      <Text size="sm" c="dimmed" className={classes.row}>
        {error ? 'This could not be loaded.' : none}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {data.slice(0, SHOWN).map((one) => {
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
  const { appRef, params } = useAppHere();
  return (
    <Rows
      reading={useLatestBuilds(appRef, SHOWN)}
      none="Nothing was built yet."
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
  const { appRef, params } = useAppHere();
  return (
    <Rows
      reading={useTestRuns(appRef)}
      none="No tests were run yet."
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
  const { appRef, params } = useAppHere();
  const reading = useDeployments(appRef);
  return (
    <Rows
      reading={reading}
      none="There is no deployment yet."
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

/** How many of the devices of a deployment run its newest release. */
function LabelShare({ deployment, label }: { deployment: string; label: string }) {
  const { appRef } = useAppHere();
  const { data } = useMetrics(appRef, deployment);
  const active = (data ?? []).reduce((sum, { active }) => sum + active, 0);
  const own = data?.find((one) => one.label === label)?.active ?? 0;
  if (!data) return ` · ${label}`;
  return active > 0
    ? ` · ${label} on ${inPercent(Math.round((own / active) * 1000) / 10)} of ${active.toLocaleString()} devices`
    : ` · ${label} on no device yet`;
}
