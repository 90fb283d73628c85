import { Text } from '@mantine/core';
import { plainName } from '@mooring/contract';

interface UrlPreviewProps {
  /** The URL before the name. */
  before: string;
  name: string;
  displayName: string;
}

/** Previews a URL while its name is typed. */
export const UrlPreview = ({ before, name, displayName }: UrlPreviewProps) => (
  <Text size="sm" c="dimmed" aria-live="polite">
    Address: {window.location.host}
    {before}
    <Text span inherit fw={600}>
      {name.trim() || (displayName.trim() ? plainName(displayName) : '…')}
    </Text>
  </Text>
);
