import { Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { HealthWebhooks_Create } from '@mooring/contract';
import { useState } from 'react';
import { useEvents } from '../../api/health.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { buildFilter, type EventFilter, readFilter } from './build-filter.ts';
import { FilterFields } from './filter-fields.tsx';

interface FilterInputProps {
  /** Whose services and regions are offered. */
  subscription: string;
  value: string;
  onChange: (filter: string) => void;
}

/** A `$filter` to be kept, chosen or written. */
export function FilterInput({ subscription, value, onChange }: FilterInputProps) {
  const known = useEvents({ subscription, filter: '', since: undefined }).data ?? [];
  // Spaces at the end of a name that is being typed are in no filter.
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
    <Fieldset legend="Only events like these (optional)">
      <Stack gap="sm">
        <Group gap="sm">
          <FilterFields chosen={chosen} choose={choose} known={known} isDisabled={isByHand} />
        </Group>
        <TextInput
          label="$filter"
          description={
            isByHand
              ? 'Written by hand. Clear it to choose above again.'
              : 'The same as the API takes it; it can say more if you write it by hand.'
          }
          placeholder="Every event"
          value={value}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          maxLength={fieldsOf(HealthWebhooks_Create)('filter').maxLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      </Stack>
    </Fieldset>
  );
}
