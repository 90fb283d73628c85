import { Slider, Stack, Text } from '@mantine/core';
import classes from './rollout-field.module.css';

interface RolloutFieldProps {
  value: number;
  /** The reached percentage: a rollout never shrinks. */
  min: number;
  onChange: (value: number) => void;
}

const MARKS = [0, 25, 50, 75, 100];

/** Rollout percentage on a track from 0 to 100, whose reached part is locked. */
export function RolloutField({ value, min, onChange }: RolloutFieldProps) {
  const isLocked = min > 1;
  return (
    <Stack gap={4} pb="lg">
      <Text size="sm" fw={500} id="rollout-label">
        Rollout: {value}% of devices
      </Text>
      <div className={classes.frame}>
        <Slider
          aria-labelledby="rollout-label"
          thumbLabel="Rollout"
          min={0}
          max={100}
          value={value}
          onChange={(next) => onChange(Math.max(next, min))}
          label={(percent) => `${percent}%`}
          marks={MARKS.map((mark) => ({ value: mark, label: `${mark}%` }))}
        />
        {isLocked && <div className={classes.locked} style={{ width: `${min}%` }} aria-hidden data-testid="locked" />}
      </div>
      {isLocked && (
        <Text size="xs" c="dimmed" mt="lg">
          {min}% of devices already get this release, so the rollout can only grow.
        </Text>
      )}
    </Stack>
  );
}
