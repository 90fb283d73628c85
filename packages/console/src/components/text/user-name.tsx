import { Group, Text } from '@mantine/core';
import { useCurrentUser } from '../../context/current-user.ts';
import { Image } from '../images/image.tsx';

interface UserNameProps {
  person: { name: string; display_name: string };
}

/** A person in a list. */
export function UserName({ person: { name, display_name } }: UserNameProps) {
  const me = useCurrentUser();
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
