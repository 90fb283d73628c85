import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { users_changePassword, users_update } from '@mooring/contract';
import { useChangePassword, useUpdateProfile } from '../../api/account/account.ts';
import { NewPassword, RevokeTokens } from '../../components/forms/account-fields.tsx';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { PasswordField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { Passkeys } from '../sign-in/passkeys.tsx';
import { SecondFactor } from '../sign-in/second-factor.tsx';

export default function ProfilePage() {
  const me = useCurrentUser();
  return (
    <Page title="Profile" description="Your name, email and password.">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="lg">
          <ProfileForm />
        </Paper>
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="md">
            Change password
          </Title>
          {me.can_change_password === false ? (
            <Text c="dimmed">Service accounts have no password.</Text>
          ) : (
            <PasswordForm />
          )}
        </Paper>
        {me.can_change_password !== false && (
          <Paper withBorder p="lg">
            <SecondFactor />
          </Paper>
        )}
        {me.can_change_password !== false && (
          <Paper withBorder p="lg">
            <Passkeys />
          </Paper>
        )}
      </SimpleGrid>
    </Page>
  );
}

function ProfileForm() {
  const me = useCurrentUser();
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
        rule={needed(getBodyRules(users_update)('display_name'))}
        defaultValue={me.display_name}
        autoComplete="name"
      />
      <ReadOnly label="Name" value={me.name} />
      <ReadOnly label="Email" value={me.email} />
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
  const { name } = useCurrentUser();
  const change = useChangePassword();
  return (
    <Form
      action="Change password"
      sending={change}
      done={change.isSuccess && 'Password changed. Your other sessions were signed out.'}
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
        rule={getBodyRules(users_changePassword)('current_password')}
        autoComplete="current-password"
      />
      <NewPassword name="new_password" label="New password" />
      <RevokeTokens />
      <Text size="sm" c="dimmed">
        This signs out your other sessions.
      </Text>
    </Form>
  );
}
