import { Badge, Group, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from './links.tsx';

interface CrumbsProps {
  /** Whom it belongs to. */
  parent: { to: string; label: string };
  name: string;
  icon: ReactNode;
  facts: string[];
}

/** What the pages of an area are about: whose it is, its name, and a few facts. */
export const Crumbs = ({ parent, name, icon, facts }: CrumbsProps) => (
  <Group gap="sm" wrap="nowrap" align="center">
    <ThemeIcon variant="light" size={36} radius="md" aria-hidden>
      {icon}
    </ThemeIcon>
    <div>
      <Text size="xs" lh={1.3}>
        <TextLink to={parent.to} size="xs">
          {parent.label}
        </TextLink>
      </Text>
      <Group gap="xs">
        <Text fw={650} lh={1.3}>
          {name}
        </Text>
        {facts.map((fact) => (
          <Badge key={fact} size="sm" color="gray">
            {fact}
          </Badge>
        ))}
      </Group>
    </div>
  </Group>
);
