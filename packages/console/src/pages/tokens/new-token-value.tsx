import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';

/** The value of a new token: the only time that anybody sees it. */
export function NewTokenValue({ value, onClose }: { value: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    setCopied(await copyText(value));
  };
  return (
    <Stack>
      <Alert icon={<IconInfoCircle aria-hidden />} color="yellow" role="status">
        Copy the token now: after closing this dialog it cannot be displayed again.
      </Alert>
      <TextInput
        ref={field}
        label="Token"
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
      />
      <Group justify="flex-end">
        <Button
          variant={isCopied ? 'light' : 'filled'}
          leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy()}
          autoFocus
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** Browsers offer the clipboard only on https and localhost; elsewhere the old command copies what is selected. */
async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
