import { Avatar, Group, Text } from '@mantine/core';
import { useMe } from './me.ts';

interface PersonProps {
  person: { name: string; display_name: string };
}

/** Somebody, as lists show them. */
export function Person({ person: { name, display_name } }: PersonProps) {
  const me = useMe();
  return (
    <Group gap="xs" wrap="nowrap">
      <Avatar name={display_name} color="harbor" size={24} alt="" aria-hidden />
      <Text size="sm" fw={600} truncate>
        {display_name}
        {name === me.name && ' (you)'}
      </Text>
    </Group>
  );
}
