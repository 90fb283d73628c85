import { Autocomplete, Select } from '@mantine/core';
import { eventStatuses, HealthEvent_Update } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../../api/health/health.ts';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { levelOrder, toChoices, typeLabels } from '../event-labels.ts';
import { regionsIn, servicesIn } from '../impact-names.ts';
import type { EventFilter } from './build-filter.ts';

const MAX_NAME = getBodyRules(HealthEvent_Update)('service').maxLength;

interface FilterFieldsProps {
  chosen: EventFilter;
  choose: (name: keyof EventFilter, value: string | null) => void;
  /** Source of the suggested services and regions; other names can be typed. */
  events: HealthEvent[];
  isDisabled?: boolean;
}

/** One field for each event property. */
export function FilterFields({ chosen, choose, events, isDisabled }: FilterFieldsProps) {
  const services = useMemo(() => servicesIn(events), [events]);
  const regions = useMemo(() => regionsIn(events), [events]);
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
        data={toChoices(typeLabels)}
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
