import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { OVERLAP_HOURS_MAX, USUAL_OVERLAP_HOURS } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { Copyable } from './copyable.tsx';
import { Form } from './form.tsx';

const HOURS = 24;

interface KeyRotationProps {
  /** What it is called that is built into apps. */
  what: string;
  rotation: { isPending: boolean; error: unknown; mutate: (overlapHours: number) => void };
  /** The new one, once it was made. */
  made: string | undefined;
  /** What becomes of the devices that have the old one. */
  children: ReactNode;
  onClose: () => void;
}

/** Replaces a key that is built into apps: the old one counts for a while. */
export function KeyRotation({ what, rotation, made, children, onClose }: KeyRotationProps) {
  const [days, setDays] = useState<string | number>(USUAL_OVERLAP_HOURS / HOURS);
  if (made !== undefined) {
    return (
      <Stack gap="md">
        <Copyable value={made} label={`the new ${what}`} />
        <Text size="sm">Build it into the next version of the app.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Form
      action={`Make a new ${what}`}
      sending={rotation}
      onCancel={onClose}
      onSend={() => rotation.mutate(Math.round(Number(days) * HOURS))}
    >
      <Text size="sm">{children}</Text>
      <NumberInput
        label="Days for which the old one counts"
        value={days}
        onChange={setDays}
        min={0}
        max={OVERLAP_HOURS_MAX / HOURS}
        allowDecimal={false}
        data-autofocus
      />
    </Form>
  );
}
