import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlChange, useUrlState } from './url-state.ts';

interface SectionTab {
  /** What it is called in the address; empty for the first. */
  name: string;
  label: string;
  panel: ReactNode;
}

/** The few parts of a section, one at a time; which one is in the address. */
export function SectionTabs({ label, tabs }: { label: string; tabs: SectionTab[] }) {
  const [asked] = useUrlState('tab');
  const change = useUrlChange();
  const open = tabs.find(({ name }) => name === asked) ?? tabs[0];
  if (!open) return null;
  if (tabs.length === 1) return open.panel;
  return (
    <Tabs
      value={open.name || 'first'}
      // What was sought in one part is not sought in another.
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
