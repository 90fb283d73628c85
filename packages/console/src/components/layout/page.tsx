import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { CurrentPageContext, getPageSubject } from '../../context/current-page.ts';
import { useNamePage } from '../../context/page-name.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { SectionTabs } from './section-tabs.tsx';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** Page-level actions beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, description, actions, children }: PageProps) {
  const current = useContext(CurrentPageContext);
  useNamePage(title);
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
            {description && (
              <Text c="dimmed" size="sm">
                {description}
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

interface SectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its own heading. */
export const Section = ({ title, description, actions, children }: SectionProps) => (
  <Stack gap="sm" component="section" mt="md">
    <Group justify="space-between" align="flex-end" gap="md">
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </div>
      {actions}
    </Group>
    {children}
  </Stack>
);

/** Title of the browser tab: page, subject, "Mooring". */
export function PageTitle({ children }: { children: string }) {
  const current = useContext(CurrentPageContext);
  const titles = new Set([children, ...(current ? getPageSubject(current) : []), 'Mooring']);
  return <title>{[...titles].join(' · ')}</title>;
}
