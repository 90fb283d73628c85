import { Stack } from '@mantine/core';
import { IconMailPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useServerInfo } from '../../api/account/account.ts';
import type { Invitations } from '../../api/account/invitations.ts';
import { queries } from '../../api/client.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { BulkAddresses } from '../../components/forms/bulk-addresses.tsx';
import { LabeledSelect } from '../../components/forms/labeled-select.tsx';
import { EmailWarning, UnsentInvitations } from './unsent-invitations.tsx';

interface InviteProps<Role extends string> {
  invitations: Invitations<Role>;
  labels: Record<Role, string>;
  /** Default role. */
  first: Role;
}

export const InviteButton = <Role extends string>(props: InviteProps<Role>) => (
  <DialogButton label="Invite people" leftSection={<IconMailPlus size={16} aria-hidden />}>
    {(close) => <Invite {...props} onClose={close} />}
  </DialogButton>
);

/** Invites one or more people. */
function Invite<Role extends string>({
  invitations,
  labels,
  first,
  onClose,
}: InviteProps<Role> & { onClose: () => void }) {
  const [role, setRole] = useState(first);
  const sendsMail = useServerInfo().data?.sends_mail;
  return (
    <Stack>
      {sendsMail === false && <EmailWarning />}
      <BulkAddresses
        action={(count) => (count > 1 ? `Invite ${count.toLocaleString()} people` : 'Invite person')}
        done="invited"
        batch={1}
        send={async ([email = '']) => {
          await invitations.invite(email, role);
          return [{ email, refusal: undefined }];
        }}
        onSent={() => queries.invalidateQueries({ queryKey: invitations.key })}
        onClose={onClose}
        after={(emails) => sendsMail === false && emails.length > 0 && <UnsentInvitations emails={emails} />}
      >
        <LabeledSelect label="Role" labels={labels} value={role} onChange={setRole} flex="1 1 14rem" />
      </BulkAddresses>
    </Stack>
  );
}
