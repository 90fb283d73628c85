import { List, Stack, Text } from '@mantine/core';
import { Copyable } from '../../components/text/copyable.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

/** Steps to the first test run, with commands to copy. */
export function FirstRun() {
  const { appRef, params } = useCurrentApp();
  const app = `${appRef.owner_name}/${appRef.app_name}`;
  const server = window.location.origin;
  return (
    <Stack gap="xs" maw={760} ta="left">
      <Text>To run your first test:</Text>
      <List type="ordered" spacing="sm" size="sm">
        <List.Item>
          Register a runner on a machine with connected devices or with Chromium:
          <Copyable label="command for a registration code" value={`mooring runner code --app ${app}`} />
          <Copyable label="register command" value={`mooring runner register ${server} --code CODE`} />
          <Copyable label="start command" value="mooring runner start" />
        </List.Item>
        <List.Item>
          Check its devices under <TextLink to={pathTo('appTestDevices', params)}>Devices</TextLink>.
        </List.Item>
        <List.Item>
          Run a test suite on any free device:
          <Copyable label="run command" value={`mooring tests run ${app} ./suite --framework command`} />
          or with the App Center CLI:
          <Copyable
            label="App Center command"
            value={`appcenter test run appium --app ${app} --devices any --app-path app.apk --build-dir target/upload`}
          />
        </List.Item>
        <List.Item>
          To get the same report for tests that run elsewhere, import their results:
          <Copyable label="import command" value={`mooring tests import ${app} TEST-results.xml`} />
        </List.Item>
      </List>
    </Stack>
  );
}
