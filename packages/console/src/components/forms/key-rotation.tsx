import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { DEFAULT_OVERLAP_HOURS, OVERLAP_HOURS_MAX } from '@mooring/contract';
import { type ReactNode, useState } from 'react';
import { Copyable } from '../text/copyable.tsx';
import { Form } from './form.tsx';

const HOURS = 24;

interface KeyRotationProps {
  /** Name of the key or secret in apps. */
  keyName: string;
  rotation: { isPending: boolean; error: unknown; mutate: (overlapHours: number) => void };
  /** The new key, once created. */
  made: string | undefined;
  /** Consequence for devices with the old key. */
  children: ReactNode;
  onClose: () => void;
}

/** Replaces a key that apps contain; the old key stays valid for a while. */
export function KeyRotation({ keyName, rotation, made, children, onClose }: KeyRotationProps) {
  const [days, setDays] = useState<string | number>(DEFAULT_OVERLAP_HOURS / HOURS);
  if (made !== undefined) {
    return (
      <Stack gap="md">
        <Copyable value={made} label={`the new ${keyName}`} />
        <Text size="sm">Build it into the next version of the app.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Form
      action={`Create ${keyName}`}
      sending={rotation}
      onCancel={onClose}
      onSend={() => rotation.mutate(Math.round(Number(days) * HOURS))}
    >
      <Text size="sm">{children}</Text>
      <NumberInput
        label="Days until the old one expires"
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
