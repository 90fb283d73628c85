import { Autocomplete, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { eventStatuses } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../api/health.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { choicesOf, levelOrder, typeWords } from './event-words.ts';
import type { ChosenFilter } from './use-event-filter.ts';

const sorted = (names: string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));

const impactsOf = (events: HealthEvent[]) => events.flatMap(({ properties }) => properties.impact ?? []);

interface FiltersProps {
  filter: ChosenFilter;
  /** Whose services and regions are offered; others can be typed. */
  known: HealthEvent[];
  /** The time is given by the picture. */
  hasSince: boolean;
}

export function Filters({ filter: { chosen, choose, clear, isAny }, known, hasSince }: FiltersProps) {
  const services = useMemo(() => sorted(impactsOf(known).map(({ impactedService }) => impactedService)), [known]);
  const regions = useMemo(
    () =>
      sorted(
        impactsOf(known).flatMap(({ impactedRegions = [] }) =>
          impactedRegions.map(({ impactedRegion }) => impactedRegion),
        ),
      ),
    [known],
  );
  return (
    <Group gap="sm" role="search">
      <Autocomplete
        aria-label="Service"
        placeholder="Any service"
        data={services}
        limit={50}
        value={chosen.service}
        onChange={(value) => choose('service', value)}
        maxLength={200}
        flex="1 1 9rem"
      />
      <Autocomplete
        aria-label="Region"
        placeholder="Any region"
        data={regions}
        limit={50}
        value={chosen.region}
        onChange={(value) => choose('region', value)}
        maxLength={200}
        flex="1 1 9rem"
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        data={choicesOf(typeWords)}
        value={chosen.type || null}
        onChange={(value) => choose('type', value)}
        clearable
        flex="1 1 9rem"
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={[...eventStatuses]}
        value={chosen.status || null}
        onChange={(value) => choose('status', value)}
        clearable
        flex="1 1 7rem"
      />
      <Select
        aria-label="Level"
        placeholder="Any level"
        data={levelOrder}
        value={chosen.level || null}
        onChange={(value) => choose('level', value)}
        clearable
        flex="1 1 7rem"
      />
      {hasSince && (
        <TextInput
          aria-label="Updated since"
          title="Updated since"
          type="date"
          value={chosen.since}
          onChange={({ currentTarget }) => choose('since', currentTarget.value)}
          flex="1 1 8rem"
        />
      )}
      {isAny && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** The same question as the API takes it. */
export const AsQuery = ({ filter, since }: { filter: string; since: string | undefined }) =>
  filter || since ? (
    <Group gap="xs" align="baseline">
      <Text size="xs" c="dimmed">
        As the API takes it:
      </Text>
      {filter && <Copyable value={`$filter=${filter}`} label="$filter" />}
      {since && <Copyable value={`queryStartTime=${since}`} label="queryStartTime" />}
    </Group>
  ) : null;
