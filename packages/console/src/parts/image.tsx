import { Avatar } from '@mantine/core';
import { ownImage } from './own-image.ts';

interface ImageProps {
  src: string | undefined;
  /** Whose initials stand in its place. */
  name: string;
  size: number;
}

/** The icon of an app, or the avatar of an organization. */
export const Image = ({ src, name, size }: ImageProps) => (
  <Avatar src={ownImage(src)} name={name} color="harbor" size={size} radius="md" alt="" aria-hidden />
);
