import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Target {
  to: string;
  children: ReactNode;
}

/** A link to another page of the console. */
export const TextLink = (props: Target & AnchorProps) => <Anchor component={Link} {...props} />;

export const ButtonLink = (props: Target & ButtonProps) => <Button component={Link} {...props} />;
