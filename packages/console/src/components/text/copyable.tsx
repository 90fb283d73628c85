import { ActionIcon, Code, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './copyable.module.css';

/** The clipboard API needs a secure context; elsewhere `execCommand` copies the selection. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

/** A value with a copy button. */
export function Copyable({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (button: HTMLElement) => {
    const text = button.previousElementSibling;
    if (text) window.getSelection()?.selectAllChildren(text);
    setCopied(await copyText(value));
  };
  return (
    <Group gap={6} wrap="nowrap">
      <Code className={classes.value}>{value}</Code>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={isCopied ? `${label}, copied` : `Copy ${label}`}
        onClick={({ currentTarget }) => void copy(currentTarget)}
      >
        {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Group>
  );
}
