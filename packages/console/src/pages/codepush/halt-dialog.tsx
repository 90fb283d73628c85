import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { type Deployment, useUpdateDeployment } from '../../api/codepush.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';

interface HaltDialogProps {
  deployment: Deployment;
  opened: boolean;
  onClose: () => void;
}

/** When rollouts of a deployment are halted by themselves. */
export function HaltDialog({ deployment, opened, onClose }: HaltDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Halt rollouts of ${deployment.name}`}>
      <HaltForm deployment={deployment} onClose={onClose} />
    </Dialog>
  );
}

function HaltForm({ deployment, onClose }: Omit<HaltDialogProps, 'opened'>) {
  const { appRef } = useAppHere();
  const change = useUpdateDeployment(appRef, deployment.name);
  const [percent, setPercent] = useState<number | undefined>(deployment.halt_percent);
  return (
    <Form
      action="Save"
      sending={change}
      onCancel={onClose}
      onSend={() => change.mutate({ halt_percent: percent ?? null }, { onSuccess: onClose })}
    >
      <NumberInput
        label="Devices that went back, in per cent"
        description="Empty: rollouts are not halted by themselves."
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        suffix=" %"
        value={percent ?? ''}
        onChange={(value) => setPercent(typeof value === 'number' ? value : undefined)}
      />
      <Text size="sm" c="dimmed">
        Once twenty devices have reported on a release that is rolled out, and so many of them went back from it, it is
        disabled and the managers of the app get a mail.
      </Text>
    </Form>
  );
}
