import { Code, Text } from '@mantine/core';
import { FrontPage } from '../../parts/front-page.tsx';

/** For whoever comes to a server that has no administrator yet, without the link that makes one. */
export const SetUpNeeded = () => (
  <FrontPage title="This server is not set up yet">
    <Text>
      It has no administrator. When it started, it printed a set-up link that ends in <Code>/setup#token=…</Code>. Open
      that link to create the first administrator.
    </Text>
    <Text c="dimmed" size="sm">
      You cannot find it? Restart the server: it prints a new one, and only the newest works.
    </Text>
  </FrontPage>
);
