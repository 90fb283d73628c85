import { Code, Text } from '@mantine/core';
import { FrontPage } from '../../components/layout/front-page.tsx';

/** Shown to visitors without the setup link while the server has no administrator. */
export const SetUpNeeded = () => (
  <FrontPage title="This server isn't set up yet">
    <Text>
      When it started, the server printed a setup link that ends in <Code>/setup#token=…</Code>. Open it to create the
      first administrator account.
    </Text>
    <Text c="dimmed" size="sm">
      Can't find the link? Restart the server to print a new one. Only the newest link works.
    </Text>
  </FrontPage>
);
