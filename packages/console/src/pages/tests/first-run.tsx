import { List, Stack, Text } from '@mantine/core';
import { Copyable } from '../../parts/copyable.tsx';
import { TextLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';

/** What to do until there is a first run, with the lines to copy. */
export function FirstRun() {
  const { appRef, params } = useAppHere();
  const app = `${appRef.owner_name}/${appRef.app_name}`;
  const server = window.location.origin;
  return (
    <Stack gap="xs" maw={760} ta="left">
      <Text>Run your first test:</Text>
      <List type="ordered" spacing="sm" size="sm">
        <List.Item>
          On a machine with devices at its ports, or with Chromium, make a runner of it:
          <Copyable label="the line that makes a code" value={`mooring runner code --app ${app}`} />
          <Copyable label="the line that registers" value={`mooring runner register ${server} --code CODE`} />
          <Copyable label="the line that starts it" value="mooring runner start" />
        </List.Item>
        <List.Item>
          See on the page <TextLink to={pathTo('appTestDevices', params)}>Devices</TextLink> what it has.
        </List.Item>
        <List.Item>
          Run a suite on a device that is free:
          <Copyable label="the line that runs" value={`mooring tests run ${app} ./suite --framework command`} />
          or with the client that your scripts have:
          <Copyable
            label="the line for scripts"
            value={`appcenter test run appium --app ${app} --devices any --app-path app.apk --build-dir target/upload`}
          />
        </List.Item>
        <List.Item>
          Results of suites that run elsewhere have the same report:
          <Copyable label="the line that imports" value={`mooring tests import ${app} TEST-results.xml`} />
        </List.Item>
      </List>
    </Stack>
  );
}
