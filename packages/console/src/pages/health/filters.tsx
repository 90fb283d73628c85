import { Autocomplete, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { eventStatuses, HealthEvent_Update } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../api/health.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import type { EventFilter } from './build-filter.ts';
import { choicesOf, levelOrder, typeWords } from './event-words.ts';
import type { ChosenFilter } from './use-event-filter.ts';

const MAX_NAME = fieldsOf(HealthEvent_Update)('service').maxLength;

const sorted = (names: string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));

const impactsOf = (events: HealthEvent[]) => events.flatMap(({ properties }) => properties.impact ?? []);

interface FilterFieldsProps {
  chosen: EventFilter;
  choose: (name: keyof EventFilter, value: string | null) => void;
  /** Whose services and regions are offered; others can be typed. */
  known: HealthEvent[];
  isDisabled?: boolean;
}

/** What an event can be like, a field for each. */
export function FilterFields({ chosen, choose, known, isDisabled }: FilterFieldsProps) {
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
    <>
      <Autocomplete
        aria-label="Service"
        placeholder="Any service"
        data={services}
        limit={50}
        value={chosen.service}
        onChange={(value) => choose('service', value)}
        maxLength={MAX_NAME}
        disabled={isDisabled}
        flex="1 1 9rem"
      />
      <Autocomplete
        aria-label="Region"
        placeholder="Any region"
        data={regions}
        limit={50}
        value={chosen.region}
        onChange={(value) => choose('region', value)}
        maxLength={MAX_NAME}
        disabled={isDisabled}
        flex="1 1 9rem"
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        data={choicesOf(typeWords)}
        value={chosen.eventType || null}
        onChange={(value) => choose('eventType', value)}
        clearable
        disabled={isDisabled}
        flex="1 1 9rem"
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={[...eventStatuses]}
        value={chosen.status || null}
        onChange={(value) => choose('status', value)}
        clearable
        disabled={isDisabled}
        flex="1 1 7rem"
      />
      <Select
        aria-label="Level"
        placeholder="Any level"
        data={levelOrder}
        value={chosen.eventLevel || null}
        onChange={(value) => choose('eventLevel', value)}
        clearable
        disabled={isDisabled}
        flex="1 1 7rem"
      />
    </>
  );
}

interface FiltersProps {
  filter: ChosenFilter;
  known: HealthEvent[];
  /** The time is given by the picture. */
  hasSince: boolean;
}

export function Filters({ filter: { chosen, choose, clear, isAny }, known, hasSince }: FiltersProps) {
  return (
    <Group gap="sm" role="search">
      <FilterFields chosen={chosen} choose={choose} known={known} />
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
