import { Code } from '@mantine/core';
import classes from './sdk-setup.module.css';

export const Snippet = ({ label, text }: { label: string; text: string }) => (
  // A scrollable region must be reachable by keyboard.
  <Code block role="region" aria-label={label} tabIndex={0} className={classes.snippet}>
    {text}
  </Code>
);
