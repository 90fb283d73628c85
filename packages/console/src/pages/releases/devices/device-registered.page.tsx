import { Button, Paper, Stack, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PROFILE_ADDRESS, useDevice } from '../../../api/releases/devices.ts';
import { QueryBoundary } from '../../../components/feedback/query-boundary.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';
import { TextLink } from '../../../components/text/links.tsx';
import { INSTALL_PAGES, paths } from '../../../paths.ts';

/** Target of devices after their registration; without a UDID, the start of a registration. */
export default function DeviceRegisteredPage() {
  const [query] = useSearchParams();
  const udid = query.get('udid');
  return udid ? <Registered udid={udid} /> : <Begin />;
}

function Registered({ udid }: { udid: string }) {
  return (
    <QueryBoundary query={useDevice(udid)} isPage>
      {(device) => (
        <Page
          title="Device registered"
          description="Waiting for new builds: developers can now include this device in their provisioning profiles. Your apps show which builds already do."
        >
          <DescriptionList
            items={[
              ['Device', device.device_name || device.model],
              ['System', device.os_version],
              ['UDID', device.udid],
            ]}
          />
          <Text size="sm">
            You can now remove the profile in the device settings. Your registered devices are listed under{' '}
            <TextLink to={paths.devices}>Devices</TextLink>.
          </Text>
          <Button component="a" href={INSTALL_PAGES} mt="md">
            Back to your apps
          </Button>
        </Page>
      )}
    </QueryBoundary>
  );
}

const Begin = () => (
  <Page title="Register device" description="iOS apps can be installed only on devices in their provisioning profile.">
    <Paper withBorder p="lg" maw={640}>
      <Stack align="flex-start">
        <Text>
          Open this page in Safari on your iPhone or iPad and install the profile. The profile sends the UDID to this
          server once and changes nothing else.
        </Text>
        <Button component="a" href={PROFILE_ADDRESS}>
          Download profile
        </Button>
      </Stack>
    </Paper>
  </Page>
);
