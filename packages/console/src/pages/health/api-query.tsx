import { Group, Text } from '@mantine/core';
import { Copyable } from '../../components/text/copyable.tsx';

/** The list's query in API syntax. */
export const AsQuery = ({ filter, since }: { filter: string; since: string | undefined }) =>
  filter || since ? (
    <Group gap="xs" align="baseline">
      <Text size="xs" c="dimmed">
        API query:
      </Text>
      {filter && <Copyable value={`$filter=${filter}`} label="$filter" />}
      {since && <Copyable value={`queryStartTime=${since}`} label="queryStartTime" />}
    </Group>
  ) : null;
