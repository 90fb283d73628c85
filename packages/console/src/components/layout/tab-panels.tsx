import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlChange, useUrlState } from '../../routing/url-state.ts';

interface TabPanel {
  /** Name in the URL; empty for the first tab. */
  name: string;
  label: string;
  panel: ReactNode;
}

/** Tabs within a section; the URL contains the selected one. */
export function TabPanels({ label, tabs }: { label: string; tabs: TabPanel[] }) {
  const [requestedTab] = useUrlState('tab');
  const change = useUrlChange();
  const open = tabs.find(({ name }) => name === requestedTab) ?? tabs[0];
  if (!open) return null;
  if (tabs.length === 1) return open.panel;
  return (
    <Tabs
      value={open.name || 'first'}
      // A search in one tab does not apply to another.
      onChange={(chosen) => change({ tab: chosen === 'first' ? '' : (chosen ?? ''), q: '', sort: '', page: '' })}
      keepMounted={false}
    >
      <Tabs.List aria-label={label}>
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name || 'first'}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.name || 'first'} pt="md">
        {open.panel}
      </Tabs.Panel>
    </Tabs>
  );
}
