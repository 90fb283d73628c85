import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { App_BlockLogs, appSecrets_rotate, Devices_BlockLogs } from '@mooring/contract';
import { IconBan, IconKey, IconPlayerPlay } from '@tabler/icons-react';
import { useBlockApp, useBlockInstall, useRotateSecret } from '../../api/telemetry/ingestion.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { getParameterRules } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { KeyRotation } from '../../components/forms/key-rotation.tsx';
import { Section } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const installRule = getParameterRules(Devices_BlockLogs)('install_id');

/** Drops or accepts logs, and rotates the app secret. */
export function IngestionActions({ isBlocked }: { isBlocked: boolean }) {
  const { app, appRef, can } = useCurrentApp();
  const blocking = useBlockApp(appRef);
  const [isRotating, rotating] = useDisclosure();
  const [isDropping, dropping] = useDisclosure();
  const confirmation = useConfirm<boolean>({
    title: (isBlock) =>
      isBlock ? `Drop all logs of ${app.display_name}?` : `Accept logs of ${app.display_name} again?`,
    action: isBlocked ? 'Accept logs' : 'Drop all logs',
    isDangerous: !isBlocked,
    consequence: (isBlock) =>
      isBlock
        ? 'New logs are dropped permanently. Devices still get a success response.'
        : 'New logs are accepted again. Dropped logs stay lost.',
    openDialog: blocking,
  });
  return (
    <Section title="Danger zone" description="These actions affect data of devices that use the app.">
      <Group gap="sm">
        {can(App_BlockLogs) && (
          <Button
            variant="default"
            size="xs"
            leftSection={isBlocked ? <IconPlayerPlay size={16} aria-hidden /> : <IconBan size={16} aria-hidden />}
            onClick={() => confirmation.open(!isBlocked)}
          >
            {isBlocked ? 'Accept logs' : 'Drop all logs'}
          </Button>
        )}
        {can(Devices_BlockLogs) && (
          <Button variant="default" size="xs" leftSection={<IconBan size={16} aria-hidden />} onClick={dropping.open}>
            Drop logs of an install
          </Button>
        )}
        {can(appSecrets_rotate) && (
          <Button variant="default" size="xs" leftSection={<IconKey size={16} aria-hidden />} onClick={rotating.open}>
            New app secret
          </Button>
        )}
      </Group>
      {confirmation.dialog}
      <Dialog opened={isDropping} onClose={dropping.close} title="Drop logs of an install">
        <DropInstall onClose={dropping.close} />
      </Dialog>
      <Dialog opened={isRotating} onClose={rotating.close} title="New app secret">
        <RotateSecret onClose={rotating.close} />
      </Dialog>
    </Section>
  );
}

function DropInstall({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const blocking = useBlockInstall(appRef);
  return (
    <Form
      action="Drop logs"
      sending={blocking}
      onCancel={onClose}
      onSend={(fields) => blocking.mutate(fields.text('install_id') ?? '', { onSuccess: onClose })}
    >
      <NameField
        name="install_id"
        label="Install ID"
        rule={installRule}
        description="The log flow shows this ID. Logs received so far stay."
        data-autofocus
      />
    </Form>
  );
}

function RotateSecret({ onClose }: { onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const rotation = useRotateSecret(appRef);
  return (
    <KeyRotation keyName="secret" rotation={rotation} made={rotation.data?.app_secret} onClose={onClose}>
      Installed apps send the old secret. After it expires, the server rejects their logs, and the SDK deletes them.
    </KeyRotation>
  );
}
