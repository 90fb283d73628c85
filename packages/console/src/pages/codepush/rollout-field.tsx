import { Slider, Stack, Text } from '@mantine/core';

/** Rollout percentage. */
export function RolloutField({
  value,
  min,
  onChange,
}: {
  value: number;
  min: number;
  onChange: (value: number) => void;
}) {
  return (
    <Stack gap={4} pb="lg">
      <Text size="sm" fw={500} id="rollout-label">
        Rollout: {value}% of devices
      </Text>
      <Slider
        aria-labelledby="rollout-label"
        thumbLabel="Rollout"
        min={Math.min(min, 99)}
        max={100}
        value={value}
        onChange={onChange}
        label={(percent) => `${percent}%`}
        marks={[25, 50, 75, 100].filter((mark) => mark >= min).map((mark) => ({ value: mark, label: `${mark}%` }))}
      />
    </Stack>
  );
}
