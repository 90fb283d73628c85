import { Button, Checkbox, NativeSelect, Popover, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Opened } from './on-demand.tsx';
import { SavedViews } from './saved-views.tsx';
import type { TableState } from './table-state.ts';

export interface ViewOptionsProps {
  /** Of the table. */
  label: string;
  state: TableState;
  /** What it can be sorted by. */
  sorts: { value: string; label: string }[];
  /** Columns that may be left out. */
  columns: string[];
  hidden: string[];
  onHide: (labels: string[]) => void;
  onSave: () => Promise<void>;
}

/** How a table is sorted, which columns it shows, views that were given a name, and the way to take it along. */
export default function ViewOptions({
  label,
  state,
  sorts,
  columns,
  hidden,
  onHide,
  onSave,
  target,
}: ViewOptionsProps & Opened) {
  const [isSaving, setSaving] = useState(false);
  const save = () => {
    setSaving(true);
    void onSave().finally(() => setSaving(false));
  };
  const toggle = (label: string) =>
    onHide(hidden.includes(label) ? hidden.filter((each) => each !== label) : [...hidden, label]);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal={false}>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label="View options">
        <Stack gap="sm">
          {sorts.length > 0 && (
            <NativeSelect
              label="Sort by"
              size="xs"
              value={state.sort?.by ?? ''}
              onChange={({ currentTarget }) => state.setSort(currentTarget.value, false)}
              data={[{ value: '', label: 'Default order' }, ...sorts]}
            />
          )}
          {state.sort && (
            <Checkbox
              size="xs"
              label="Descending"
              checked={state.sort.isDescending}
              onChange={({ currentTarget }) => state.setSort(state.sort?.by ?? '', currentTarget.checked)}
            />
          )}
          <Checkbox.Group label="Columns" size="xs" value={columns.filter((label) => !hidden.includes(label))}>
            <Stack gap={6} mt={4}>
              {columns.map((label) => (
                <Checkbox key={label} size="xs" value={label} label={label} onChange={() => toggle(label)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <SavedViews label={label} hidden={hidden} onHide={onHide} />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={isSaving}
            onClick={save}
          >
            Download CSV
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
