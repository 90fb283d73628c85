import { Button, Checkbox, NativeSelect, Popover, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Opened } from '../dialogs/on-demand.tsx';
import { SavedViews } from './saved-views.tsx';
import type { TableState } from './table-state.ts';

export interface ViewOptionsProps {
  /** ID of the table. */
  id: string;
  state: TableState;
  /** Sortable columns. */
  sorts: { value: string; label: string }[];
  /** Columns that can be hidden. */
  columns: { id: string; label: string }[];
  hidden: string[];
  onHide: (ids: string[]) => void;
  onSave: () => Promise<void>;
}

/** Sort order, visible columns, saved views and CSV download. */
export default function ViewOptions({
  id,
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
  const toggle = (column: string) =>
    onHide(hidden.includes(column) ? hidden.filter((each) => each !== column) : [...hidden, column]);
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
          <Checkbox.Group
            label="Columns"
            size="xs"
            value={columns.map((column) => column.id).filter((column) => !hidden.includes(column))}
          >
            <Stack gap={6} mt={4}>
              {columns.map((column) => (
                <Checkbox
                  key={column.id}
                  size="xs"
                  value={column.id}
                  label={column.label}
                  onChange={() => toggle(column.id)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <SavedViews table={id} hidden={hidden} onHide={onHide} />
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
