import { Menu } from '@mantine/core';
import type { Opened } from '../dialogs/on-demand.tsx';
import type { Filter, Preset } from './filter.ts';

export interface FilterMenuProps {
  /** Filters that can be added. */
  unset: Filter[];
  presets: Preset[];
  onOpen: (name: string) => void;
  onChange: (values: Record<string, string>) => void;
}

export default function FilterMenu({ unset, presets, onOpen, onChange, target }: FilterMenuProps & Opened) {
  return (
    <Menu position="bottom-start" shadow="md" withinPortal={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {unset.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => onOpen(name)}>
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
  );
}
