import { Text } from '@mantine/core';
import { Confirm } from './confirm.tsx';

const nothing = { isPending: false, error: null };

export default function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Confirm title="Leave this page?" action="Leave" doing={nothing} onConfirm={onLeave} onClose={onStay}>
      <Text>What you typed is lost.</Text>
    </Confirm>
  );
}
