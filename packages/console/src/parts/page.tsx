import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { CurrentPageContext, subjectOf } from './current-page.ts';
import { SectionTabs } from './tabs.tsx';

interface PageProps {
  title: string;
  lead?: ReactNode;
  /** What can be done on the page as a whole, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, actions, children }: PageProps) {
  const current = useContext(CurrentPageContext);
  // Pages that are tabs of one section share its heading.
  const heading = current?.section && 'tabs' in current.section && !current.isBelow ? current.section.label : title;
  return (
    <Stack gap="md">
      <PageTitle>{heading === title ? title : `${title} · ${heading}`}</PageTitle>
      <Stack gap={4}>
        <Breadcrumbs />
        <Group justify="space-between" align="flex-end" gap="md">
          <Stack gap={2} maw={720}>
            <Title order={1} size="h3">
              {heading}
            </Title>
            {lead && (
              <Text c="dimmed" size="sm">
                {lead}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
      </Stack>
      <SectionTabs />
      {children}
    </Stack>
  );
}

interface PartProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page under a heading of its own. */
export const Part = ({ title, lead, actions, children }: PartProps) => (
  <Stack gap="sm" component="section" mt="md">
    <Group justify="space-between" align="flex-end" gap="md">
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        {lead && (
          <Text c="dimmed" size="sm">
            {lead}
          </Text>
        )}
      </div>
      {actions}
    </Group>
    {children}
  </Stack>
);

/** What the tab of the browser says: the page, what it is about, and whose console this is. */
export function PageTitle({ children }: { children: string }) {
  const current = useContext(CurrentPageContext);
  const parts = new Set([children, ...(current ? subjectOf(current) : []), 'Mooring']);
  return <title>{[...parts].join(' · ')}</title>;
}
