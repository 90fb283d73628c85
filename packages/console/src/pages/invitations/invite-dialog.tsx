import { IconMailPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { queries } from '../../api/client.ts';
import type { Invitations } from '../../api/invitations.ts';
import { BulkAddresses } from '../../parts/bulk-addresses.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';

interface InviteProps<Role extends string> {
  invitations: Invitations<Role>;
  words: Record<Role, string>;
  /** The role that is chosen at first. */
  first: Role;
}

export const InviteButton = <Role extends string>(props: InviteProps<Role>) => (
  <DialogButton label="Invite" title="Invite people" leftSection={<IconMailPlus size={16} aria-hidden />}>
    {(close) => <Invite {...props} onClose={close} />}
  </DialogButton>
);

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
