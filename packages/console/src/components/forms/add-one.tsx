import { Button, Group, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from '../feedback/failure.tsx';

interface AddOneProps {
  label: string;
  placeholder: string;
  choices: { value: string; label: string }[];
  /** Additional choices. */
  children?: ReactNode;
  adding: {
    isPending: boolean;
    error: unknown;
    mutate: (value: string, options: { onSuccess: () => void }) => void;
  };
}

/** Adds one of many items to a list. */
export function AddOne({ label, placeholder, choices, adding, children }: AddOneProps) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <>
      <Group gap="sm" wrap="nowrap" w={{ base: '100%', xs: 'auto' }}>
        <Select
          aria-label={label}
          placeholder={placeholder}
          data={choices}
          value={value}
          onChange={setValue}
          searchable
          clearable
          limit={50}
          nothingFoundMessage="No matches"
          flex={1}
          miw={{ xs: 280 }}
        />
        {children}
        <Button
          variant="default"
          disabled={!value}
          loading={adding.isPending}
          onClick={() => value && adding.mutate(value, { onSuccess: () => setValue(null) })}
        >
          Add
        </Button>
      </Group>
      {adding.error != null && <Failure error={adding.error} title="Couldn't add the selection" />}
    </>
  );
}
