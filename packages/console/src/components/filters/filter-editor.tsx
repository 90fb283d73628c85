import { Autocomplete, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { MAX_SEARCH } from '@mooring/contract';
import { useState } from 'react';
import type { Filter } from './filter.ts';
import { rangeChoices, readDays, writeDays } from './time-range.ts';

interface FilterEditorProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
  onDone: () => void;
}

/** Longer lists are searchable. */
const FEW = 10;

/** Edits the value of a filter. */
export function FilterEditor({ filter, value, onChange, onDone }: FilterEditorProps) {
  const { kind, label, choices = [] } = filter;
  if (kind === 'time') return <TimeEditor filter={filter} value={value} onChange={onChange} />;
  if (kind === 'text') return <TextEditor filter={filter} value={value} onChange={onChange} onDone={onDone} />;
  if (choices.length <= FEW) return <Radios label={label} choices={choices} value={value} onChange={onChange} />;
  return (
    <Select
      label={label}
      data={choices}
      value={value || null}
      onChange={(chosen) => {
        onChange(chosen ?? '');
        onDone();
      }}
      searchable
      limit={100}
      nothingFoundMessage="No matches"
      comboboxProps={{ withinPortal: false }}
      data-autofocus
    />
  );
}

interface RadiosProps {
  label: string;
  choices: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

const Radios = ({ label, choices, value, onChange }: RadiosProps) => (
  <Radio.Group label={label} value={value} onChange={onChange}>
    <Stack gap={8} mt={6}>
      {choices.map((choice, at) => (
        <Radio key={choice.value} size="xs" {...choice} data-autofocus={at === 0 || undefined} />
      ))}
    </Stack>
  </Radio.Group>
);

/** Applied on Enter, or when a suggestion is chosen. */
function TextEditor({ filter: { label, choices = [] }, value, onChange, onDone }: FilterEditorProps) {
  const [text, setText] = useState(value);
  const send = (chosen: string) => {
    onChange(chosen.trim());
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <Autocomplete
        label={label}
        description="Press Enter to filter."
        data={choices.map((choice) => choice.value)}
        value={text}
        onChange={setText}
        onOptionSubmit={send}
        limit={50}
        maxLength={MAX_SEARCH}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    </form>
  );
}

interface TimeEditorProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}

function TimeEditor({ filter: { label, isOpenEnded }, value, onChange }: TimeEditorProps) {
  const [from, to] = readDays(value);
  return (
    <Stack gap="sm">
      <Radios label={label} choices={rangeChoices} value={value} onChange={onChange} />
      <Group gap="xs" grow>
        <TextInput
          label="From"
          type="date"
          size="xs"
          value={from}
          onChange={({ currentTarget }) => onChange(writeDays(currentTarget.value, to))}
        />
        {!isOpenEnded && (
          <TextInput
            label="To"
            type="date"
            size="xs"
            value={to}
            onChange={({ currentTarget }) => onChange(writeDays(from, currentTarget.value))}
          />
        )}
      </Group>
    </Stack>
  );
}
