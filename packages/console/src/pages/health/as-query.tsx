import { Group, Text } from '@mantine/core';
import { Copyable } from '../../parts/copyable.tsx';

/** The same question as the API takes it. */
export const AsQuery = ({ filter, since }: { filter: string; since: string | undefined }) =>
  filter || since ? (
    <Group gap="xs" align="baseline">
      <Text size="xs" c="dimmed">
        As the API takes it:
      </Text>
      {filter && <Copyable value={`$filter=${filter}`} label="$filter" />}
      {since && <Copyable value={`queryStartTime=${since}`} label="queryStartTime" />}
    </Group>
  ) : null;
