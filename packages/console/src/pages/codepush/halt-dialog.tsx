import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { type Deployment, useUpdateDeployment } from '../../api/releases/codepush.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/forms/form.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

interface HaltDialogProps {
  deployment: Deployment;
  opened: boolean;
  onClose: () => void;
}

/** Threshold for the automatic halt of rollouts. */
export function HaltDialog({ deployment, opened, onClose }: HaltDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Set automatic halt for ${deployment.name}`}>
      <HaltForm deployment={deployment} onClose={onClose} />
    </Dialog>
  );
}

function HaltForm({ deployment, onClose }: Omit<HaltDialogProps, 'opened'>) {
  const { appRef } = useCurrentApp();
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
        label="Rollback percentage"
        description="Leave empty to turn automatic halt off."
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        suffix="%"
        value={percent ?? ''}
        onChange={(value) => setPercent(typeof value === 'number' ? value : undefined)}
      />
      <Text size="sm" c="dimmed">
        Applies to releases in rollout after 20 devices have reported. If this share of them rolled back, the release is
        disabled and the app's managers get an email.
      </Text>
    </Form>
  );
}
