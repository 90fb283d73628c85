import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useUrlState } from '../../../routing/url-state.ts';

/** Search criteria, by their name in the URL and the API. */
export const fields = {
  event: { label: 'Event or page', length: 256 },
  install_id: { label: 'Install ID', length: 128 },
  user_id: { label: 'User ID', length: 256 },
  session_id: { label: 'Session ID', length: 64 },
  property: { label: 'Property', length: 256 },
  value: { label: 'Value', length: 256 },
} as const;
export type Field = keyof typeof fields;
export const names = Object.keys(fields) as Field[];

/** Criteria from the URL. */
export function useCriteria(): Record<Field, string> {
  const [event] = useUrlState('event');
  const [install_id] = useUrlState('install_id');
  const [user_id] = useUrlState('user_id');
  const [session_id] = useUrlState('session_id');
  const [property] = useUrlState('property');
  const [value] = useUrlState('value');
  return { event, install_id, user_id, session_id, property, value };
}

interface CriteriaFormProps {
  criteria: Record<Field, string>;
  onSearch: (criteria: Record<Field, string | undefined>) => void;
}

/** Searching is expensive, so it starts on submit rather than while typing. */
export function CriteriaForm({ criteria, onSearch }: CriteriaFormProps) {
  const [typed, setTyped] = useState(criteria);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(
      Object.fromEntries(names.map((name) => [name, typed[name].trim() || undefined])) as Record<
        Field,
        string | undefined
      >,
    );
  };
  return (
    <Group component="form" gap="sm" align="flex-end" onSubmit={submit} aria-label="Search criteria" role="search">
      {names.map((name) => (
        <TextInput
          key={name}
          label={fields[name].label}
          size="xs"
          flex="1 1 7rem"
          maxLength={fields[name].length}
          disabled={name === 'value' && !typed.property}
          value={typed[name]}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
      <Button type="submit" size="xs">
        Search
      </Button>
    </Group>
  );
}
