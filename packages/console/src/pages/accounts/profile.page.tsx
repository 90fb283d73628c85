import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { users_changePassword, users_update } from '@mooring/contract';
import { useChangePassword, useUpdateProfile } from '../../api/account.ts';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { PasswordField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { NewPassword, RevokeTokens } from '../../parts/person-fields.tsx';

export default function ProfilePage() {
  const me = useMe();
  return (
    <Page title="Profile" lead="How others see you on this server, and how you sign in.">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="lg">
          <ProfileForm />
        </Paper>
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="md">
            Change password
          </Title>
          {me.can_change_password === false ? (
            <Text c="dimmed">Your password is not kept on this server.</Text>
          ) : (
            <PasswordForm />
          )}
        </Paper>
      </SimpleGrid>
    </Page>
  );
}

function ProfileForm() {
  const me = useMe();
  const update = useUpdateProfile();
  return (
    <Form
      action="Save"
      sending={update}
      done={update.isSuccess && 'Saved.'}
      onSend={(fields) => update.mutate({ display_name: fields.text('display_name') })}
    >
      <Title order={2} size="h4">
        About you
      </Title>
      <TextField
        name="display_name"
        label="Display name"
        rule={needed(fieldsOf(users_update)('display_name'))}
        defaultValue={me.display_name}
        autoComplete="name"
      />
      <ReadOnly label="Name" value={me.name} />
      <ReadOnly label="E-mail" value={me.email} />
    </Form>
  );
}

const ReadOnly = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Text>{value}</Text>
  </div>
);

function PasswordForm() {
  const { name } = useMe();
  const change = useChangePassword();
  return (
    <Form
      action="Change password"
      sending={change}
      done={change.isSuccess && 'Changed. Your other sessions have ended.'}
      onSend={(fields, form) =>
        change.mutate(
          {
            current_password: fields.secret('current_password'),
            new_password: fields.secret('new_password'),
            revoke_tokens: fields.isOn('revoke_tokens'),
          },
          { onSuccess: () => form.reset() },
        )
      }
    >
      {/* Password managers file the new password under this name. */}
      <input type="text" name="username" value={name} autoComplete="username" readOnly hidden />
      <PasswordField
        name="current_password"
        label="Current password"
        rule={fieldsOf(users_changePassword)('current_password')}
        autoComplete="current-password"
      />
      <NewPassword name="new_password" label="New password" />
      <RevokeTokens />
      <Text size="sm" c="dimmed">
        Your other sessions end at once.
      </Text>
    </Form>
  );
}
