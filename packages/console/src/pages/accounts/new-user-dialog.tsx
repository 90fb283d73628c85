import { Checkbox } from '@mantine/core';
import { useCreateUser } from '../../api/organizations/users.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { AccountFields, readAccount } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

export const NewUserDialog = ({ opened, onClose }: DialogProps) => (
  <Dialog opened={opened} onClose={onClose} title="New user">
    <NewUser onClose={onClose} />
  </Dialog>
);

function NewUser({ onClose }: { onClose: () => void }) {
  const creation = useCreateUser();
  return (
    <Form
      action="Create user"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate({ ...readAccount(fields), is_admin: fields.isOn('is_admin') }, { onSuccess: onClose })
      }
    >
      <AccountFields isOwn={false} />
      <Checkbox name="is_admin" label="Administrator" description="Can manage users and this server." />
    </Form>
  );
}
