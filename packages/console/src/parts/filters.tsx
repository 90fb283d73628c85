import { Button, CloseButton, Group, Menu, Popover, UnstyledButton } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Filter, Preset } from './filter.ts';
import { FilterEditor } from './filter-editor.tsx';
import classes from './filters.module.css';
import type { FilterBar } from './table.ts';
import { rangeInWords } from './time-range.ts';
import { useUrlChange } from './url-state.ts';

/** Filters that are part of the address. */
export function useFilters(filters: Filter[], presets: Preset[] = []) {
  const [params] = useSearchParams();
  const change = useUrlChange();
  const values = Object.fromEntries(filters.map(({ name }) => [name, params.get(name) ?? '']));
  const isAny = Object.values(values).some(Boolean);
  const clear = () => change({ ...Object.fromEntries(filters.map(({ name }) => [name, undefined])), page: undefined });
  const set = (next: Record<string, string>) => change({ ...next, page: undefined });
  const element = <Chips filters={filters} presets={presets} values={values} onChange={set} onClear={clear} />;
  return { values, set, bar: { element, isAny, clear } satisfies FilterBar };
}

interface ChipsProps {
  filters: Filter[];
  presets: Preset[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  onClear: () => void;
}

function Chips({ filters, presets, values, onChange, onClear }: ChipsProps) {
  const [open, setOpen] = useState<string>();
  const set = filters.filter(({ name }) => values[name] || open === name);
  const unset = filters.filter((filter) => !set.includes(filter));
  return (
    <>
      {set.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          isOpen={open === filter.name}
          onOpen={(isOpen) => setOpen(isOpen ? filter.name : undefined)}
          onChange={(value) => onChange({ [filter.name]: value })}
        />
      ))}
      {(unset.length > 0 || presets.length > 0) && (
        <Menu position="bottom-start" shadow="md" withinPortal={false}>
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<IconFilterPlus size={15} aria-hidden />}>
              Filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {unset.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setOpen(name)}>
                {label}
              </Menu.Item>
            ))}
            {presets.length > 0 && unset.length > 0 && <Menu.Divider />}
            {presets.map(({ label, values }) => (
              <Menu.Item key={label} onClick={() => onChange(values)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Object.values(values).some(Boolean) && (
        <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
          Clear all
        </Button>
      )}
    </>
  );
}

interface ChipProps {
  filter: Filter;
  value: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (value: string) => void;
}

function wordsOf({ kind, choices = [] }: Filter, value: string): string {
  if (!value) return 'any';
  if (kind === 'time') return rangeInWords(value);
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

function Chip({ filter, value, isOpen, onOpen, onChange }: ChipProps) {
  return (
    <Group gap={0} wrap="nowrap" className={classes.chip}>
      <Popover
        opened={isOpen}
        onChange={onOpen}
        position="bottom-start"
        shadow="md"
        width={filter.kind === 'choice' && (filter.choices ?? []).length <= 10 ? undefined : 260}
        trapFocus
        returnFocus
        withinPortal={false}
      >
        <Popover.Target>
          <UnstyledButton className={classes.name} onClick={() => onOpen(!isOpen)}>
            {filter.label}: <strong>{wordsOf(filter, value)}</strong>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter.label}>
          <FilterEditor filter={filter} value={value} onChange={onChange} onDone={() => onOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      <CloseButton
        size={24}
        iconSize={14}
        aria-label={`Remove filter: ${filter.label}`}
        onClick={() => {
          onOpen(false);
          onChange('');
        }}
      />
    </Group>
  );
}
