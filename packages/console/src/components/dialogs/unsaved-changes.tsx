import { Text } from '@mantine/core';
import { ConfirmDialog } from './confirm-dialog.tsx';

const nothing = { isPending: false, error: null };

export default function UnsavedChangesDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <ConfirmDialog title="Leave this page?" action="Leave page" mutation={nothing} onConfirm={onLeave} onClose={onStay}>
      <Text>Your changes will be lost.</Text>
    </ConfirmDialog>
  );
}
