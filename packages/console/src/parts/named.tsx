import { Group, Text } from '@mantine/core';
import { AppIcon } from './app-icon.tsx';
import { Image } from './image.tsx';
import { NameLink } from './links.tsx';

interface NamedProps {
  to: string;
  name: string;
  /** How commands and addresses call it. */
  id: string;
  image: string | undefined;
  /** Of an app. */
  os?: string;
}

/** An app or an organization, as lists show it. */
export const Named = ({ to, name, id, image, os }: NamedProps) => (
  <Group gap="xs" wrap="nowrap">
    {os ? (
      <AppIcon app={{ icon_url: image, display_name: name, os }} size={24} />
    ) : (
      <Image src={image} name={name} size={24} />
    )}
    <NameLink to={to}>{name}</NameLink>
    <Text size="xs" c="dimmed" truncate visibleFrom="sm">
      {id}
    </Text>
  </Group>
);
