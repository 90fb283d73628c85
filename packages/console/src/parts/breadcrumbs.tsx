import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { TextLink } from './links.tsx';

/** The pages above this one, outermost first. */
export const Breadcrumbs = ({ pages }: { pages: [to: string, label: string][] }) => (
  <Group gap={6}>
    {pages.map(([to, label], at) => (
      <Fragment key={to}>
        {at > 0 && (
          <Text size="xs" c="dimmed" aria-hidden>
            /
          </Text>
        )}
        <TextLink to={to} size="xs">
          {label}
        </TextLink>
      </Fragment>
    ))}
  </Group>
);
