import { Checkbox } from '@mantine/core';
import { useCreateUser } from '../../api/users.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { PersonFields, readPerson } from '../../parts/person-fields.tsx';

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
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate({ ...readPerson(fields), is_admin: fields.isOn('is_admin') }, { onSuccess: onClose })
      }
    >
      <PersonFields isOwn={false} />
      <Checkbox name="is_admin" label="Administrator" description="May manage users and read the audit log." />
    </Form>
  );
}
