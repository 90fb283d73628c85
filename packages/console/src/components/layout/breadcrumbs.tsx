import { Group } from '@mantine/core';
import { useContext } from 'react';
import { CurrentPageContext, getBreadcrumbs } from '../../context/current-page.ts';
import { TextLink } from '../text/links.tsx';

/** Links to the pages above, where the top bar has no room for them. */
export function Breadcrumbs() {
  const current = useContext(CurrentPageContext);
  const above = current?.isBelow ? getBreadcrumbs(current).at(-1) : undefined;
  if (!above) return null;
  return (
    <Group gap={6} hiddenFrom="sm">
      <TextLink to={above.to} size="xs">
        {above.label}
      </TextLink>
    </Group>
  );
}
