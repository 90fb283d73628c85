import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { codePushDeploymentKeys_endFormer, codePushDeploymentKeys_rotate } from '@mooring/contract';
import { useDeploymentKeys, useEndFormerKeys, useRotateKey } from '../../api/releases/codepush.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { KeyRotation } from '../../components/forms/key-rotation.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

/** Previous keys that are still valid, and key rotation. */
export function Keys({ deployment }: { deployment: string }) {
  const { appRef, can } = useCurrentApp();
  const query = useDeploymentKeys(appRef, deployment);
  const ending = useEndFormerKeys(appRef, deployment);
  const [isRotating, rotating] = useDisclosure();
  const confirmation = useConfirm<string>({
    title: (name) => `End previous keys of ${name}?`,
    action: 'End previous keys',
    consequence: () =>
      'Devices with a previous key keep their installed version but get no more updates until their users install a newer app version.',
    openDialog: ending,
  });
  return (
    <QueryBoundary query={query}>
      {({ former }) => (
        <Stack gap="sm">
          {former.length === 0 ? (
            <Text size="sm">No previous keys are active.</Text>
          ) : (
            <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
              {former.map(({ key, ends_at }) => (
                <Group component="li" key={key} gap="sm">
                  <Copyable value={key} label={`previous key ${key}`} />
                  <Text size="sm">
                    expires <Time at={ends_at} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )}
          <Group gap="sm">
            {can(codePushDeploymentKeys_rotate) && (
              <Button variant="default" onClick={rotating.open}>
                New key
              </Button>
            )}
            {can(codePushDeploymentKeys_endFormer) && former.length > 0 && (
              <Button variant="default" onClick={() => confirmation.open(deployment)}>
                End previous keys
              </Button>
            )}
          </Group>
          {confirmation.dialog}
          <Dialog opened={isRotating} onClose={rotating.close} title={`New key for ${deployment}`}>
            <Rotate deployment={deployment} onClose={rotating.close} />
          </Dialog>
        </Stack>
      )}
    </QueryBoundary>
  );
}

function Rotate({ deployment, onClose }: { deployment: string; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const rotation = useRotateKey(appRef, deployment);
  return (
    <KeyRotation keyName="key" rotation={rotation} made={rotation.data?.key} onClose={onClose}>
      Installed apps use the old key. After it expires, they get no updates until their users install a newer app
      version.
    </KeyRotation>
  );
}
