import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { queries } from '../../api/client.ts';

/** Shown above every page while the server is unreachable. */
export const OfflineBanner = () => (
  <Box px={{ base: 'md', sm: 'lg' }} pt="md">
    <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />} role="status" p="xs">
      <Group justify="space-between">
        <Text size="sm">Can't reach the server. This data may be out of date, and changes can't be saved.</Text>
        <Button size="compact-sm" variant="default" onClick={() => void queries.invalidateQueries()}>
          Retry now
        </Button>
      </Group>
    </Alert>
  </Box>
);
