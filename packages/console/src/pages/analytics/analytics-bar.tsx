import { Group, MultiSelect, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { type AnalyticsFilter, useVersions } from '../../api/telemetry/analytics.ts';
import { formatDay } from '../../components/charts/line-chart.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { useUrlChange, useUrlState } from '../../routing/url-state.ts';
import { type DateRange, DEFAULT_SPAN, daysBefore, parseDateRange, spans, toAnalyticsFilter } from './date-range.ts';

const CUSTOM = 'custom';

/** Filters of all analytics pages, kept in the URL. */
export function useAnalyticsFilter() {
  const [range] = useUrlState('range');
  const [version] = useUrlState('version');
  const [compare] = useUrlState('compare');
  // Memoized, so that cached queries are found again.
  return useMemo(() => {
    const days = parseDateRange(range || DEFAULT_SPAN, Date.now());
    const before = daysBefore(days);
    return {
      range: range || DEFAULT_SPAN,
      versions: version ? version.split('|') : [],
      isCompared: compare !== 'no',
      days,
      before,
      filter: toAnalyticsFilter(days, version),
      previousFilter: toAnalyticsFilter(before, version),
    };
  }, [range, version, compare]);
}

/** Query to keep when moving between analytics pages. */
export function useFilterParams(): Record<string, string> {
  const [range] = useUrlState('range');
  const [version] = useUrlState('version');
  const [compare] = useUrlState('compare');
  return { range, version, compare };
}

const formatRange = ({ first, last }: DateRange): string =>
  first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;

/** False for pages without a comparison. */
export function AnalyticsBar({ canCompare = true }: { canCompare?: boolean }) {
  const { appRef } = useCurrentApp();
  const { range, versions, days, before, isCompared } = useAnalyticsFilter();
  const change = useUrlChange();
  const everyVersion: AnalyticsFilter = toAnalyticsFilter(days, '');
  const versionNames = useVersions(appRef, everyVersion).data?.versions.map(({ version }) => version) ?? [];
  const offered = [...new Set([...versionNames.toReversed(), ...versions])];
  const isCustom = range.includes('..');
  return (
    <Group component="section" aria-label="Filters" gap="sm" align="flex-end">
      <NativeSelect
        label="Period"
        size="xs"
        value={isCustom ? CUSTOM : range}
        onChange={({ currentTarget: { value } }) =>
          change({
            range: value === CUSTOM ? `${days.first}..${days.last}` : value === DEFAULT_SPAN ? undefined : value,
          })
        }
        data={[...spans.map(({ value, label }) => ({ value, label })), { value: CUSTOM, label: 'Custom period…' }]}
      />
      {isCustom && (
        <>
          <TextInput
            label="From"
            type="date"
            size="xs"
            value={days.first}
            max={days.last}
            onChange={({ currentTarget: { value } }) => value && change({ range: `${value}..${days.last}` })}
          />
          <TextInput
            label="To"
            type="date"
            size="xs"
            value={days.last}
            min={days.first}
            onChange={({ currentTarget: { value } }) => value && change({ range: `${days.first}..${value}` })}
          />
        </>
      )}
      <MultiSelect
        label="Versions"
        size="xs"
        data={offered}
        disabled={offered.length === 0}
        value={versions}
        onChange={(chosen) => change({ version: chosen.join('|') })}
        placeholder={versions.length === 0 ? 'All versions' : undefined}
        searchable
        clearable
        limit={100}
        miw={170}
        maw={420}
        nothingFoundMessage="No matches"
        clearButtonProps={{ 'aria-label': 'All versions' }}
      />
      {canCompare && (
        <Switch
          size="xs"
          mb={7}
          label="Compare to previous period"
          checked={isCompared}
          onChange={({ currentTarget }) => change({ compare: currentTarget.checked ? undefined : 'no' })}
        />
      )}
      <Text size="xs" c="dimmed" mb={6}>
        {formatRange(days)}, UTC{canCompare && isCompared && ` · before: ${formatRange(before)}`}
      </Text>
    </Group>
  );
}
