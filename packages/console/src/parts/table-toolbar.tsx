import { ActionIcon, Button, Checkbox, Group, NativeSelect, Popover, Stack, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { type PagerProps, RowCount, SmallPager } from './pager.tsx';
import { type Column, canSort, type FilterBar } from './table.ts';
import { sortName } from './table-rows.ts';
import type { TableState } from './table-state.ts';
import classes from './table-toolbar.module.css';

interface TableToolbarProps<Row> {
  search: string | undefined;
  filters: FilterBar | undefined;
  state: TableState;
  columns: Column<Row>[];
  hidden: string[];
  onHide: (labels: string[]) => void;
  isServers: boolean;
  onSave: () => Promise<void>;
  pager: PagerProps;
  isLoaded: boolean;
}

/** Above a table: what is sought, how much was found, and how it is shown. */
export function TableToolbar<Row>({ search, filters, state, pager, isLoaded, ...options }: TableToolbarProps<Row>) {
  return (
    <div className={classes.bar}>
      <Group gap="xs" role="search" className={classes.narrowing}>
        {search && (
          <TextInput
            aria-label={search}
            placeholder={search}
            type="search"
            size="xs"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={state.search}
            onChange={({ currentTarget }) => state.setSearch(currentTarget.value)}
            className={classes.search}
          />
        )}
        {filters?.element}
      </Group>
      <Group gap="xs" wrap="nowrap" className={classes.shown}>
        {isLoaded && <RowCount {...pager} />}
        {isLoaded && <SmallPager {...pager} />}
        <ViewOptions state={state} {...options} />
      </Group>
    </div>
  );
}

type ViewOptionsProps<Row> = Pick<
  TableToolbarProps<Row>,
  'state' | 'columns' | 'hidden' | 'onHide' | 'isServers' | 'onSave'
>;

function ViewOptions<Row>({ state, columns, hidden, onHide, isServers, onSave }: ViewOptionsProps<Row>) {
  const [isSaving, setSaving] = useState(false);
  const sortable = columns.filter((column) => canSort(column, isServers));
  const save = () => {
    setSaving(true);
    void onSave().finally(() => setSaving(false));
  };
  const toggle = (label: string) =>
    onHide(hidden.includes(label) ? hidden.filter((each) => each !== label) : [...hidden, label]);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal={false}>
      <Popover.Target>
        <ActionIcon variant="default" size="md" aria-label="View options">
          <IconAdjustmentsHorizontal size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="View options">
        <Stack gap="sm">
          {sortable.length > 0 && (
            <NativeSelect
              label="Sort by"
              size="xs"
              value={state.sort?.by ?? ''}
              onChange={({ currentTarget }) => state.setSort(currentTarget.value, false)}
              data={[
                { value: '', label: 'Default order' },
                ...sortable.map((column) => ({ value: sortName(column), label: column.label })),
              ]}
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
            value={columns.map(({ label }) => label).filter((label) => !hidden.includes(label))}
          >
            <Stack gap={6} mt={4}>
              {columns
                .slice(1)
                .map(
                  ({ label, isActions }) =>
                    !isActions && (
                      <Checkbox key={label} size="xs" value={label} label={label} onChange={() => toggle(label)} />
                    ),
                )}
            </Stack>
          </Checkbox.Group>
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

export const ClearButton = ({ onClear }: { onClear: () => void }) => (
  <Button variant="default" size="xs" onClick={onClear}>
    Clear search and filters
  </Button>
);
