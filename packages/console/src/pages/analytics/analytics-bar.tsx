import { Group, MultiSelect, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { type Asked, useVersions } from '../../api/analytics.ts';
import { dayInWords } from '../../parts/charts/line-chart.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useUrlChange, useUrlState } from '../../parts/url-state.ts';
import { type AskedDays, daysBefore, readDaysAsked, spans, toAsked, USUAL } from './asked-days.ts';

const CUSTOM = 'custom';

/** What all pages with figures are asked by. It lives in the address, which can be sent as it is. */
export function useAsked() {
  const [range] = useUrlState('range');
  const [version] = useUrlState('version');
  const [compare] = useUrlState('compare');
  // The same until another day or version is asked for, so that answers are found again.
  return useMemo(() => {
    const days = readDaysAsked(range || USUAL, Date.now());
    const before = daysBefore(days);
    return {
      range: range || USUAL,
      versions: version ? version.split('|') : [],
      isCompared: compare !== 'no',
      days,
      before,
      asked: toAsked(days, version),
      askedBefore: toAsked(before, version),
    };
  }, [range, version, compare]);
}

/** The part of the address that goes along from one page with figures to the next. */
export function useAskedQuery(): Record<string, string> {
  const [range] = useUrlState('range');
  const [version] = useUrlState('version');
  const [compare] = useUrlState('compare');
  return { range, version, compare };
}

const inWords = ({ first, last }: AskedDays): string =>
  first === last ? dayInWords(first) : `${dayInWords(first)} – ${dayInWords(last)}`;

/** Some pages have nothing to compare. */
export function AnalyticsBar({ canCompare = true }: { canCompare?: boolean }) {
  const { appRef } = useAppHere();
  const { range, versions, days, before, isCompared } = useAsked();
  const change = useUrlChange();
  const everyVersion: Asked = toAsked(days, '');
  const known = useVersions(appRef, everyVersion).data?.versions.map(({ version }) => version) ?? [];
  const offered = [...new Set([...known.toReversed(), ...versions])];
  const isCustom = range.includes('..');
  return (
    <Group component="section" aria-label="What is shown" gap="sm" align="flex-end">
      <NativeSelect
        label="Time"
        size="xs"
        value={isCustom ? CUSTOM : range}
        onChange={({ currentTarget: { value } }) =>
          change({ range: value === CUSTOM ? `${days.first}..${days.last}` : value === USUAL ? undefined : value })
        }
        data={[...spans.map(({ value, label }) => ({ value, label })), { value: CUSTOM, label: 'From … to …' }]}
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
        nothingFoundMessage="No such version"
        clearButtonProps={{ 'aria-label': 'All versions' }}
      />
      {canCompare && (
        <Switch
          size="xs"
          mb={7}
          label="Compare with the period before"
          checked={isCompared}
          onChange={({ currentTarget }) => change({ compare: currentTarget.checked ? undefined : 'no' })}
        />
      )}
      <Text size="xs" c="dimmed" mb={6}>
        {inWords(days)}, UTC{canCompare && isCompared && ` · before: ${inWords(before)}`}
      </Text>
    </Group>
  );
}
