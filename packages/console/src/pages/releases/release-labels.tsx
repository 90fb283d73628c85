import { Badge, Group } from '@mantine/core';
import type { Release } from '../../api/releases/releases.ts';

type Named = Pick<Release, 'short_version' | 'version'>;

/** Version and build number. */
export const formatVersion = ({ short_version, version }: Named): string =>
  short_version === version ? short_version : `${short_version} (${version})`;

export type ReleaseState = 'disabled' | 'unreleased' | 'released';

export const getReleaseState = ({
  enabled,
  destinations = [],
}: Pick<Release, 'enabled' | 'destinations'>): ReleaseState => {
  if (!enabled) return 'disabled';
  return destinations.length === 0 ? 'unreleased' : 'released';
};

export const stateLabels: Record<ReleaseState, string> = {
  released: 'Distributed',
  unreleased: 'Not distributed',
  disabled: 'Disabled',
};
const stateColors: Record<ReleaseState, string> = { released: 'green', unreleased: 'yellow', disabled: 'gray' };

export function StateBadge({ release }: { release: Pick<Release, 'enabled' | 'destinations'> }) {
  const state = getReleaseState(release);
  return <Badge color={stateColors[state]}>{stateLabels[state]}</Badge>;
}

const VISIBLE_DESTINATIONS = 3;

/** Destinations, as far as they fit in a row. */
export function Destinations({ release: { destinations = [] } }: { release: Release }) {
  const rest = destinations.length - VISIBLE_DESTINATIONS;
  return (
    <Group gap={4} wrap="nowrap">
      {destinations.slice(0, VISIBLE_DESTINATIONS).map(({ id, name, display_name, is_latest }) => (
        <Badge key={id} color={is_latest ? 'blue' : 'gray'} tt="none">
          {display_name ?? name}
        </Badge>
      ))}
      {rest > 0 && <span>+{rest}</span>}
    </Group>
  );
}
