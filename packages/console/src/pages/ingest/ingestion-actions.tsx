import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { App_BlockLogs, appSecrets_rotate, Devices_BlockLogs } from '@mooring/contract';
import { IconBan, IconKey, IconPlayerPlay } from '@tabler/icons-react';
import { useBlockApp, useBlockInstall, useRotateSecret } from '../../api/ingestion.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { parametersOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { KeyRotation } from '../../parts/key-rotation.tsx';
import { useAppHere } from '../../parts/may.ts';
import { useQuestion } from '../../parts/question.tsx';

const installRule = parametersOf(Devices_BlockLogs)('install_id');

/** What can be done about what comes: drop it, take it again, or give the app another secret. */
export function IngestionActions({ isBlocked }: { isBlocked: boolean }) {
  const { app, appRef, may } = useAppHere();
  const blocking = useBlockApp(appRef);
  const [isRotating, rotating] = useDisclosure();
  const [isDropping, dropping] = useDisclosure();
  const question = useQuestion<boolean>({
    title: (isBlock) => (isBlock ? `Drop all logs of ${app.display_name}?` : `Take logs of ${app.display_name} again?`),
    action: isBlocked ? 'Take them' : 'Drop them',
    isDangerous: !isBlocked,
    loss: (isBlock) =>
      isBlock
        ? 'What devices send from now on is dropped, and cannot be brought back. They are told that all is well.'
        : 'What devices send from now on counts. What was dropped stays lost.',
    doing: blocking,
  });
  return (
    <Group gap="sm" component="section" aria-label="Actions">
      {may(App_BlockLogs) && (
        <Button
          variant="default"
          size="xs"
          leftSection={isBlocked ? <IconPlayerPlay size={16} aria-hidden /> : <IconBan size={16} aria-hidden />}
          onClick={() => question.ask(!isBlocked)}
        >
          {isBlocked ? 'Take logs again' : 'Drop all logs'}
        </Button>
      )}
      {may(Devices_BlockLogs) && (
        <Button variant="default" size="xs" leftSection={<IconBan size={16} aria-hidden />} onClick={dropping.open}>
          Drop logs of an install
        </Button>
      )}
      {may(appSecrets_rotate) && (
        <Button variant="default" size="xs" leftSection={<IconKey size={16} aria-hidden />} onClick={rotating.open}>
          New app secret
        </Button>
      )}
      {question.dialog}
      <Dialog opened={isDropping} onClose={dropping.close} title="Drop logs of an install">
        <DropInstall onClose={dropping.close} />
      </Dialog>
      <Dialog opened={isRotating} onClose={rotating.close} title="New app secret">
        <RotateSecret onClose={rotating.close} />
      </Dialog>
    </Group>
  );
}

function DropInstall({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const blocking = useBlockInstall(appRef);
  return (
    <Form
      action="Drop them"
      sending={blocking}
      onCancel={onClose}
      onSend={(fields) => blocking.mutate(fields.text('install_id') ?? '', { onSuccess: onClose })}
    >
      <NameField
        name="install_id"
        label="Install"
        rule={installRule}
        description="Its id, as the log flow shows it. What it sent until now stays."
        data-autofocus
      />
    </Form>
  );
}

function RotateSecret({ onClose }: { onClose: () => void }) {
  const { appRef } = useAppHere();
  const rotation = useRotateSecret(appRef);
  return (
    <KeyRotation what="secret" rotation={rotation} made={rotation.data?.app_secret} onClose={onClose}>
      What is installed sends the old secret. When that has ended, these apps are refused and throw away what they have.
    </KeyRotation>
  );
}
