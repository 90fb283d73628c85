import { Group } from '@mantine/core';
import { useContext } from 'react';
import { breadcrumbsOf, CurrentPageContext } from './current-page.ts';
import { TextLink } from './links.tsx';

/** The way back from a page that lies below another, where the bar at the top has no room for it. */
export function Breadcrumbs() {
  const current = useContext(CurrentPageContext);
  const above = current?.isBelow ? breadcrumbsOf(current).at(-1) : undefined;
  if (!above) return null;
  return (
    <Group gap={6} hiddenFrom="sm">
      <TextLink to={above.to} size="xs">
        {above.label}
      </TextLink>
    </Group>
  );
}
