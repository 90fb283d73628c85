import { Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import classes from './toast-list.module.css';
import { dismiss, type Toast, toasts } from './toasts.ts';

/** Long enough to read the message and to reach Undo. */
const STAYS = 8000;

/** Short-lived messages in a corner, announced by screen readers. */
export function ToastList() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read);
  return (
    <section aria-label="Notifications" className={classes.corner}>
      <Stack gap="xs" role="status" aria-live="polite">
        {shown.map((each) => (
          <OneToast key={each.id} toast={each} />
        ))}
      </Stack>
    </section>
  );
}

function OneToast({ toast: { id, text, undo } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(id), STAYS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  const runUndo = () => {
    dismiss(id);
    void undo?.();
  };
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" flex={1}>
          {text}
        </Text>
        {undo && (
          <Button size="compact-sm" variant="default" onClick={runUndo}>
            Undo
          </Button>
        )}
        <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(id)} />
      </Group>
    </Paper>
  );
}
