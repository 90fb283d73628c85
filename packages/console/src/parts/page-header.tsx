import { Badge, Group, Text } from '@mantine/core';
import { Image } from './image.tsx';
import { TextLink } from './links.tsx';

interface PageHeaderProps {
  /** Whom it belongs to. */
  parent: { to: string; label: string };
  name: string;
  /** Of its icon or avatar, if it has one. */
  image: string | undefined;
  facts: string[];
}

/** What the pages of an area are about: whose it is, its name, and a few facts. */
export const PageHeader = ({ parent, name, image, facts }: PageHeaderProps) => (
  <Group gap="sm" wrap="nowrap" align="center">
    <Image address={image} name={name} size={36} />
    <div>
      <Text size="xs" lh={1.3}>
        <TextLink to={parent.to} size="xs">
          {parent.label}
        </TextLink>
      </Text>
      <Group gap="xs">
        <Text fw={650} lh={1.3}>
          {name}
        </Text>
        {facts.map((fact) => (
          <Badge key={fact} size="sm" color="gray">
            {fact}
          </Badge>
        ))}
      </Group>
    </div>
  </Group>
);
