import { Button, Group, TextInput } from '@mantine/core';
import { OwnerName } from '@mooring/contract';
import { type SubmitEvent, useState } from 'react';
import { Failure } from '../feedback/failure.tsx';
import { toFieldRule } from './field-rules.ts';

const MAX_NAME = toFieldRule(OwnerName).maxLength;

interface AddByNameProps {
  label: string;
  adding: {
    isPending: boolean;
    error: unknown;
    mutate: (name: string, options: { onSuccess: () => void }) => void;
  };
}

/** Adds a user by name. */
export function AddByName({ label, adding }: AddByNameProps) {
  const [name, setName] = useState('');
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.mutate(name.trim(), { onSuccess: () => setName('') });
  };
  return (
    <>
      <form onSubmit={add}>
        <Group gap="sm" wrap="nowrap">
          <TextInput
            aria-label={label}
            placeholder="User name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={MAX_NAME}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            flex={1}
          />
          <Button type="submit" variant="default" disabled={!name.trim()} loading={adding.isPending}>
            Add
          </Button>
        </Group>
      </form>
      {adding.error != null && <Failure error={adding.error} title="Couldn't add the user" />}
    </>
  );
}
