import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { queries } from '../api/client.ts';

/** Above every page while the server does not answer. */
export const OfflineBanner = () => (
  <Box px={{ base: 'md', sm: 'lg' }} pt="md">
    <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />} role="status" p="xs">
      <Group justify="space-between">
        <Text size="sm">The server cannot be reached. What you see may be out of date, and changes are not saved.</Text>
        <Button size="compact-sm" variant="default" onClick={() => void queries.invalidateQueries()}>
          Try now
        </Button>
      </Group>
    </Alert>
  </Box>
);
