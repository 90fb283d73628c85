import { Alert, Loader } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type Ingestion, useFirstDevice } from '../../../api/telemetry/ingestion.ts';
import { ButtonLink } from '../../../components/text/links.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { pathTo } from '../../../paths.ts';

/** Waits for the first data of a device, then names the device. Announced to screen readers. */
export function FirstDevice({ device }: { device: Ingestion['first_device'] }) {
  return (
    <div role="status" aria-live="polite">
      {device ? <Received device={device} /> : <Waiting />}
    </div>
  );
}

function Waiting() {
  const { appRef } = useCurrentApp();
  useFirstDevice(appRef);
  return (
    <Alert color="gray" icon={<Loader size={18} aria-hidden />} title="Waiting for your first event…">
      Start your app with the SDK. This page updates by itself.
    </Alert>
  );
}

const formatName = ({ model, os }: NonNullable<Ingestion['first_device']>): string =>
  [model || 'A device', os].filter(Boolean).join(', ');

function Received({ device }: { device: NonNullable<Ingestion['first_device']> }) {
  const { params } = useCurrentApp();
  return (
    <Alert color="green" icon={<IconCheck size={18} aria-hidden />} title={`Connected: ${formatName(device)}`}>
      First data received <Time at={device.received_at} />.{' '}
      <ButtonLink to={pathTo('appAnalytics', params)} size="compact-sm" variant="default">
        Open analytics
      </ButtonLink>
    </Alert>
  );
}
