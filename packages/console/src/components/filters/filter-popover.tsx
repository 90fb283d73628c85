import { Popover } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ChipProps } from './filter.ts';
import { FilterEditor } from './filter-editor.tsx';

/** An active filter, open for editing. */
export default function FilterPopover({
  filter,
  value,
  isOpen,
  onOpen,
  onChange,
  target,
}: ChipProps & { target: ReactElement }) {
  return (
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
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label={filter.label}>
        <FilterEditor filter={filter} value={value} onChange={onChange} onDone={() => onOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
