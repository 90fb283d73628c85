import { Badge, Group } from '@mantine/core';
import type { Release } from '../../api/releases.ts';

type Named = Pick<Release, 'short_version' | 'version'>;

/** The version that people read, and the build. */
export const versionInWords = ({ short_version, version }: Named): string =>
  short_version === version ? short_version : `${short_version} (${version})`;

export type ReleaseState = 'disabled' | 'unreleased' | 'released';

export const stateOf = ({ enabled, destinations = [] }: Pick<Release, 'enabled' | 'destinations'>): ReleaseState => {
  if (!enabled) return 'disabled';
  return destinations.length === 0 ? 'unreleased' : 'released';
};

export const stateWords: Record<ReleaseState, string> = {
  released: 'Distributed',
  unreleased: 'Not distributed',
  disabled: 'Disabled',
};
const stateColors: Record<ReleaseState, string> = { released: 'green', unreleased: 'yellow', disabled: 'gray' };

export function StateBadge({ release }: { release: Pick<Release, 'enabled' | 'destinations'> }) {
  const state = stateOf(release);
  return <Badge color={stateColors[state]}>{stateWords[state]}</Badge>;
}

const SHOWN = 3;

/** Who has it, as far as a row has room. */
export function Destinations({ release: { destinations = [] } }: { release: Release }) {
  const rest = destinations.length - SHOWN;
  return (
    <Group gap={4} wrap="nowrap">
      {destinations.slice(0, SHOWN).map(({ id, name, display_name, is_latest }) => (
        <Badge key={id} color={is_latest ? 'blue' : 'gray'} tt="none">
          {display_name ?? name}
        </Badge>
      ))}
      {rest > 0 && <span>+{rest}</span>}
    </Group>
  );
}
