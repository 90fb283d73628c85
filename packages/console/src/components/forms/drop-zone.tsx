import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  onFile: (file: File | null | undefined) => void;
  children: ReactNode;
  /** Short description of the accepted files. */
  hint: string;
  onCancel?: (() => void) | undefined;
}

/** Accepts a package by drop or file chooser. */
export function DropZone({ onFile, children, hint, onCancel }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the accessible alternative to dropping.
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-testid="drop"
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <Stack align="center" gap="xs">
        <IconUpload size={28} aria-hidden />
        <Text ta="center">{children}</Text>
        <Text size="xs" c="dimmed" ta="center">
          {hint}
        </Text>
        <Group gap="sm" justify="center">
          <FileButton onChange={onFile} inputProps={{ 'aria-label': 'Package' }}>
            {(props) => <Button {...props}>Choose file</Button>}
          </FileButton>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </div>
  );
}
