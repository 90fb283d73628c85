import { Group, Text } from '@mantine/core';
import { AppIcon } from '../images/app-icon.tsx';
import { Image } from '../images/image.tsx';
import { NameLink } from './links.tsx';

interface EntityLinkProps {
  to: string;
  name: string;
  /** Name in commands and URLs. */
  id: string;
  image: string | undefined;
  /** For apps. */
  os?: string;
}

/** An app or organization in a list. */
export const EntityLink = ({ to, name, id, image, os }: EntityLinkProps) => (
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
