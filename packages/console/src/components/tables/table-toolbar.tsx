import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { OnDemand } from '../dialogs/on-demand.tsx';
import { type PagerProps, RowCount, SmallPager } from './pager.tsx';
import { type Column, canSort, type FilterBar } from './table.ts';
import { sortName } from './table-rows.ts';
import type { TableState } from './table-state.ts';
import classes from './table-toolbar.module.css';
import type { ViewOptionsProps } from './view-options.tsx';

interface TableToolbarProps<Row> {
  id: string;
  search: string | undefined;
  filters: FilterBar | undefined;
  state: TableState;
  columns: Column<Row>[];
  hidden: string[];
  onHide: (ids: string[]) => void;
  isServers: boolean;
  onSave: () => Promise<void>;
  pager: PagerProps;
  isLoaded: boolean;
}

/** Search, result count and view options above a table. */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { search, filters, state, pager, isLoaded, columns, isServers, ...options } = props;
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
        <ViewOptions
          state={state}
          sorts={columns
            .filter((column) => canSort(column, isServers))
            .map((column) => ({ value: sortName(column), label: column.label }))}
          columns={columns
            .slice(1)
            .filter(({ isActions }) => !isActions)
            .map(({ id, label }) => ({ id, label }))}
          {...options}
        />
      </Group>
    </div>
  );
}

const loadViewOptions = () => import('./view-options.tsx');

const ViewOptions = (props: ViewOptionsProps) => (
  <OnDemand
    opens="dialog"
    load={loadViewOptions}
    to={props}
    button={(opener) => (
      <ActionIcon variant="default" size="md" aria-label="View options" {...opener}>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
      </ActionIcon>
    )}
  />
);

export const ClearButton = ({ onClear }: { onClear: () => void }) => (
  <Button variant="default" size="xs" onClick={onClear}>
    Clear search and filters
  </Button>
);
