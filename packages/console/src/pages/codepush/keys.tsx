import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { codePushDeploymentKeys_endFormer, codePushDeploymentKeys_rotate } from '@mooring/contract';
import { useDeploymentKeys, useEndFormerKeys, useRotateKey } from '../../api/codepush.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { KeyRotation } from '../../parts/key-rotation.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useQuestion } from '../../parts/question.tsx';
import { Time } from '../../parts/time.tsx';

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
  return (
    <KeyRotation what="key" rotation={rotation} made={rotation.data?.key} onClose={onClose}>
      What is installed asks by the old key. When that has ended, these devices get no updates until their users have a
      newer version of the app.
    </KeyRotation>
  );
}
