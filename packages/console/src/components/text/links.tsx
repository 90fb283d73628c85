import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';

interface Target {
  to: To;
  children: ReactNode;
}

/** An inline link to another console page. */
export const TextLink = (props: Target & AnchorProps) => <Anchor component={Link} underline="always" {...props} />;

/** A resource name that links to its page. */
export const NameLink = (props: Target) => <Anchor component={Link} size="sm" fw={600} underline="hover" {...props} />;

export const ButtonLink = (props: Target & ButtonProps) => <Button component={Link} {...props} />;
