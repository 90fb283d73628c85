import { Avatar, Group, Text } from '@mantine/core';
import { useMe } from './me.ts';

interface PersonProps {
  person: { name: string; display_name: string; email?: string };
}

/** Somebody, as lists show them. */
export function Person({ person }: PersonProps) {
  const me = useMe();
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={person.display_name} color="harbor" size={30} alt="" aria-hidden />
      <div>
        <Text size="sm" fw={600} lh={1.3}>
          {person.display_name}
          {person.name === me.name && ' (you)'}
        </Text>
        {person.email !== person.display_name && (
          <Text size="xs" c="dimmed" lh={1.3}>
            {person.email ?? person.name}
          </Text>
        )}
      </div>
    </Group>
  );
}
