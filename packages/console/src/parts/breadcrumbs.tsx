import { Group } from '@mantine/core';
import { useContext } from 'react';
import { TextLink } from './links.tsx';
import { PlaceContext, trailOf } from './place.ts';

/** The way back from a page that lies below another, where the bar at the top has no room for it. */
export function Breadcrumbs() {
  const place = useContext(PlaceContext);
  const above = place?.isBelow ? trailOf(place).at(-1) : undefined;
  if (!above) return null;
  return (
    <Group gap={6} hiddenFrom="sm">
      <TextLink to={above.to} size="xs">
        {above.label}
      </TextLink>
    </Group>
  );
}
