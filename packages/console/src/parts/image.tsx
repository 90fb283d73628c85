import { Avatar } from '@mantine/core';
import { ownImage } from './own-image.ts';

interface ImageProps {
  address: string | undefined;
  /** Whose initials stand in its place. */
  name: string;
  size: number;
}

/** The icon of an app, or the avatar of an organization. */
export const Image = ({ address, name, size }: ImageProps) => (
  <Avatar src={ownImage(address)} name={name} color="harbor" size={size} radius="md" alt="" aria-hidden />
);
