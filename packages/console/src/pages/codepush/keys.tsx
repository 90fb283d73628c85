import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { codePushDeploymentKeys_endFormer, codePushDeploymentKeys_rotate } from '@mooring/contract';
import { useState } from 'react';
import { useDeploymentKeys, useEndFormerKeys, useRotateKey } from '../../api/codepush.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useQuestion } from '../../parts/question.tsx';
import { Time } from '../../parts/time.tsx';

const USUAL_DAYS = 90;

/** Former keys of a deployment that still count, and what replaces the key that it has. */
export function Keys({ deployment }: { deployment: string }) {
  const { appRef, may } = useAppHere();
  const reading = useDeploymentKeys(appRef, deployment);
  const ending = useEndFormerKeys(appRef, deployment);
  const [isRotating, rotating] = useDisclosure();
  const question = useQuestion<string>({
    title: (name) => `End all former keys of ${name}?`,
    action: 'End them',
    loss: () =>
      'Devices that ask by them get no updates any more; what they have installed stays. Their users need a newer version of the app.',
    doing: ending,
  });
  return (
    <Loaded reading={reading}>
      {({ former }) => (
        <Stack gap="sm">
          {former.length === 0 ? (
            <Text size="sm">Devices ask by the newest key only.</Text>
          ) : (
            <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
              {former.map(({ key, ends_at }) => (
                <Group component="li" key={key} gap="sm">
                  <Copyable value={key} label={`the former key ${key}`} />
                  <Text size="sm">
                    counts until <Time at={ends_at} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )}
          <Group gap="sm">
            {may(codePushDeploymentKeys_rotate) && (
              <Button variant="default" onClick={rotating.open}>
                New key
              </Button>
            )}
            {may(codePushDeploymentKeys_endFormer) && former.length > 0 && (
              <Button variant="default" onClick={() => question.ask(deployment)}>
                End former keys
              </Button>
            )}
          </Group>
          {question.dialog}
          <Dialog opened={isRotating} onClose={rotating.close} title={`New key of ${deployment}`}>
            <Rotate deployment={deployment} onClose={rotating.close} />
          </Dialog>
        </Stack>
      )}
    </Loaded>
  );
}

function Rotate({ deployment, onClose }: { deployment: string; onClose: () => void }) {
  const { appRef } = useAppHere();
  const rotation = useRotateKey(appRef, deployment);
  const [days, setDays] = useState<string | number>(USUAL_DAYS);
  if (rotation.data) {
    return (
      <Stack gap="md">
        <Copyable value={rotation.data.key} label="the new key" />
        <Text size="sm">Build it into the next version of the app.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Form
      action="Make a new key"
      sending={rotation}
      onCancel={onClose}
      onSend={() => rotation.mutate(Math.round(Number(days) * 24))}
    >
      <Text size="sm">
        What is installed asks by the old key. When that has ended, these devices get no updates until their users have
        a newer version of the app.
      </Text>
      <NumberInput
        label="Days for which the old one counts"
        value={days}
        onChange={setDays}
        min={0}
        max={365}
        allowDecimal={false}
        data-autofocus
      />
    </Form>
  );
}
