import { Group, Text } from '@mantine/core';
import { Image } from './image.tsx';
import { useMe } from './me.ts';

interface PersonProps {
  person: { name: string; display_name: string };
}

/** Somebody, as lists show them. */
export function Person({ person: { name, display_name } }: PersonProps) {
  const me = useMe();
  return (
    <Group gap="xs" wrap="nowrap">
      <Image src={undefined} name={display_name} size={24} isRound />
      <Text size="sm" fw={600} truncate>
        {display_name}
        {name === me.name && ' (you)'}
      </Text>
    </Group>
  );
}
