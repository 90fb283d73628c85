import { Button, CloseButton, Group, UnstyledButton } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useUrlChange } from '../../routing/url-state.ts';
import { OnDemand } from '../dialogs/on-demand.tsx';
import type { FilterBar } from '../tables/table.ts';
import type { ChipProps, Filter, Preset } from './filter.ts';
import type { FilterMenuProps } from './filter-menu.tsx';
import classes from './filters.module.css';
import { formatRange } from './time-range.ts';

const FilterPopover = lazy(() => import('./filter-popover.tsx'));

/** Filters kept in the URL. */
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
        <FilterMenu unset={unset} presets={presets} onOpen={setOpen} onChange={onChange} />
      )}
      {Object.values(values).some(Boolean) && (
        <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
          Clear all
        </Button>
      )}
    </>
  );
}

function formatFilterValue({ kind, choices = [] }: Filter, value: string): string {
  if (!value) return 'any';
  if (kind === 'time') return formatRange(value);
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

function Chip(props: ChipProps) {
  const { filter, value, isOpen, onOpen, onChange } = props;
  // Opens only once, after the filter was added.
  const wasOpen = useRef(false);
  wasOpen.current ||= isOpen;
  const chip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === body || chip.current?.contains(activeElement);
    if (!isOpen && wasOpen.current && isLost) chip.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const name = (
    <UnstyledButton className={classes.name} aria-haspopup="dialog" onClick={() => onOpen(!isOpen)}>
      {filter.label}: <strong>{formatFilterValue(filter, value)}</strong>
    </UnstyledButton>
  );
  return (
    <Group ref={chip} gap={0} wrap="nowrap" className={classes.chip}>
      {wasOpen.current ? (
        <Suspense fallback={name}>
          <FilterPopover {...props} target={name} />
        </Suspense>
      ) : (
        name
      )}
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

const loadFilterMenu = () => import('./filter-menu.tsx');

const FilterMenu = (props: FilterMenuProps) => (
  <OnDemand
    opens="menu"
    load={loadFilterMenu}
    to={props}
    button={(opener) => (
      <Button variant="default" size="xs" leftSection={<IconFilterPlus size={15} aria-hidden />} {...opener}>
        Filter
      </Button>
    )}
  />
);
