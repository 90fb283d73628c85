import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { queries } from '../../api/client.ts';
import type { Invitations } from '../../api/invitations.ts';
import { BulkAddresses } from '../../parts/bulk-addresses.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';

interface InviteProps<Role extends string> {
  invitations: Invitations<Role>;
  words: Record<Role, string>;
  /** The role that is chosen at first. */
  first: Role;
}

export function InviteButton<Role extends string>(props: InviteProps<Role>) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconMailPlus size={16} aria-hidden />} onClick={dialog.open}>
        Invite
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title="Invite people" size="lg">
        <Invite {...props} onClose={dialog.close} />
      </Dialog>
    </>
  );
}

/** One person or many: each gets an invitation of their own. */
function Invite<Role extends string>({
  invitations,
  words,
  first,
  onClose,
}: InviteProps<Role> & { onClose: () => void }) {
  const [role, setRole] = useState(first);
  return (
    <BulkAddresses
      action={(count) => (count > 1 ? `Invite ${count.toLocaleString()} people` : 'Send the invitation')}
      done="invited"
      batch={1}
      send={async ([email = '']) => {
        await invitations.invite(email, role);
        return [{ email, refusal: undefined }];
      }}
      onSent={() => queries.invalidateQueries({ queryKey: invitations.key })}
      onClose={onClose}
    >
      <Choice label="As" words={words} value={role} onChange={setRole} flex="1 1 14rem" />
    </BulkAddresses>
  );
}
