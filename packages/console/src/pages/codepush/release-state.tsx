import { Badge, Group } from '@mantine/core';
import type { Release } from '../../api/releases/codepush.ts';

/** Label and status of a release. */
export const ReleaseState = ({ release }: { release: Release }) => (
  <Group gap={6} wrap="nowrap">
    <span>{release.label}</span>
    {release.is_disabled && <Badge color="gray">Disabled</Badge>}
    {release.is_mandatory && <Badge color="blue">Mandatory</Badge>}
    {!release.is_disabled && release.rollout !== undefined && release.rollout < 100 && (
      <Badge color="yellow">{release.rollout}%</Badge>
    )}
  </Group>
);
