import { Autocomplete, Select } from '@mantine/core';
import { eventStatuses, HealthEvent_Update } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../api/health.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import type { EventFilter } from './build-filter.ts';
import { choicesOf, levelOrder, typeWords } from './event-words.ts';
import { regionsIn, servicesIn } from './known-names.ts';

const MAX_NAME = fieldsOf(HealthEvent_Update)('service').maxLength;

interface FilterFieldsProps {
  chosen: EventFilter;
  choose: (name: keyof EventFilter, value: string | null) => void;
  /** Whose services and regions are offered; others can be typed. */
  known: HealthEvent[];
  isDisabled?: boolean;
}

/** What an event can be like, a field for each. */
export function FilterFields({ chosen, choose, known, isDisabled }: FilterFieldsProps) {
  const services = useMemo(() => servicesIn(known), [known]);
  const regions = useMemo(() => regionsIn(known), [known]);
  return (
    <>
      <Autocomplete
        label="Service"
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
        label="Region"
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
        label="Type"
        placeholder="Any type"
        data={choicesOf(typeWords)}
        value={chosen.eventType || null}
        onChange={(value) => choose('eventType', value)}
        clearable
        disabled={isDisabled}
        flex="1 1 9rem"
      />
      <Select
        label="Status"
        placeholder="Any status"
        data={[...eventStatuses]}
        value={chosen.status || null}
        onChange={(value) => choose('status', value)}
        clearable
        disabled={isDisabled}
        flex="1 1 7rem"
      />
      <Select
        label="Level"
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
