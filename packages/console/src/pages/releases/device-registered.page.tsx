import { Button, Paper, Stack, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PROFILE_ADDRESS, useDevice } from '../../api/devices.ts';
import { DescriptionList } from '../../parts/description-list.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { paths } from '../../paths.ts';

/** Where a device goes on in its browser after it has registered itself, and where one begins that did not. */
export default function DeviceRegisteredPage() {
  const [query] = useSearchParams();
  const udid = query.get('udid');
  return udid ? <Registered udid={udid} /> : <Begin />;
}

function Registered({ udid }: { udid: string }) {
  return (
    <Loaded reading={useDevice(udid)} isPage>
      {(device) => (
        <Page title="This device is registered" lead="Whoever releases apps for it is shown it from now on.">
          <DescriptionList
            items={[
              ['Device', device.device_name || device.model],
              ['System', device.os_version],
              ['UDID', device.udid],
            ]}
          />
          <Text size="sm">
            You may remove the profile in the settings of the device. All that you registered is on the page{' '}
            <TextLink to={paths.devices}>Devices</TextLink>.
          </Text>
        </Page>
      )}
    </Loaded>
  );
}

const Begin = () => (
  <Page title="Register a device" lead="An app for iOS can be installed on devices that its release names.">
    <Paper withBorder p="lg" maw={640}>
      <Stack align="flex-start">
        <Text>
          Open this page on the iPhone or iPad, in Safari. It gets a profile that tells its UDID once, and changes
          nothing else.
        </Text>
        <Button component="a" href={PROFILE_ADDRESS}>
          Get the profile
        </Button>
      </Stack>
    </Paper>
  </Page>
);
