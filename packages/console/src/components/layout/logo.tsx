import { Group, Text } from '@mantine/core';
import mark from '../../design/mark.svg';

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <Group gap={size / 3} wrap="nowrap">
      <img src={mark} width={size} height={size} alt="" />
      <Text component="span" fw={700} fz={size * 0.68} lh={1} lts="-0.01em">
        Mooring
      </Text>
    </Group>
  );
}
