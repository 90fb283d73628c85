import { Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { HealthWebhooks_Create } from '@mooring/contract';
import { useState } from 'react';
import { useEvents } from '../../../api/health/health.ts';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { buildFilter, type EventFilter, readFilter } from './build-filter.ts';
import { FilterFields } from './filter-fields.tsx';

interface FilterInputProps {
  /** Source of the suggested services and regions. */
  subscription: string;
  value: string;
  onChange: (filter: string) => void;
}

/** A `$filter` that is built from fields or typed. */
export function FilterInput({ subscription, value, onChange }: FilterInputProps) {
  const events = useEvents({ subscription, filter: '', since: undefined }).data ?? [];
  // Trims a name that is still being typed.
  const [chosen, setChosen] = useState(() => readFilter(value));
  const isByHand = buildFilter(chosen) !== value;
  const choose = (name: keyof EventFilter, text: string | null) => {
    const next = { ...chosen, [name]: text ?? '' };
    setChosen(next);
    onChange(buildFilter(next));
  };
  const write = (text: string) => {
    setChosen(readFilter(text));
    onChange(text);
  };
  return (
    <Fieldset legend="Filter (optional)">
      <Stack gap="sm">
        <Group gap="sm">
          <FilterFields chosen={chosen} choose={choose} events={events} isDisabled={isByHand} />
        </Group>
        <TextInput
          label="$filter"
          description={
            isByHand
              ? 'Custom filter. Clear it to use the fields above.'
              : 'The filter in API syntax. Edit it for more complex filters.'
          }
          placeholder="All events"
          value={value}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          maxLength={getBodyRules(HealthWebhooks_Create)('filter').maxLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      </Stack>
    </Fieldset>
  );
}
