import { Checkbox, type PasswordInputProps, TextInput } from '@mantine/core';
import { users_register } from '@mooring/contract';
import type { NewAccount } from '../../api/account/account.ts';
import { getBodyRules } from './field-rules.ts';
import { NameField, PasswordField, TextField } from './fields.tsx';
import type { Fields } from './form.tsx';

const rules = getBodyRules(users_register);

interface NewPasswordProps extends Omit<PasswordInputProps, 'name' | 'label'> {
  name: string;
  label?: string;
  whose?: 'your' | 'their';
}

export const NewPassword = ({ whose = 'your', label = 'Password', ...props }: NewPasswordProps) => (
  <PasswordField
    label={label}
    rule={rules('password')}
    description={`At least ${rules('password').minLength} characters, and not ${whose} name or email.`}
    autoComplete="new-password"
    {...props}
  />
);

/** Anyone who knew the password may have created tokens with it. */
export const RevokeTokens = ({ whose = 'your' }: { whose?: 'your' | 'their' }) => (
  <Checkbox
    name="revoke_tokens"
    label={`Revoke ${whose} API tokens too`}
    description={`All API tokens that ${whose === 'your' ? 'you' : 'they'} created, including app tokens. Recommended if the password was compromised.`}
  />
);

/** Fields of a new account; an invitation fixes the email. */
export function AccountFields({ isOwn, email }: { isOwn: boolean; email?: string }) {
  return (
    <>
      {email ? (
        <TextInput label="Email" value={email} readOnly autoComplete="username" />
      ) : (
        <TextField
          name="email"
          label="Email"
          rule={rules('email')}
          autoComplete={isOwn ? 'email' : 'off'}
          data-autofocus
          // In a dialog, autofocus would keep the dialog from remembering its opener.
          autoFocus={isOwn}
        />
      )}
      <NameField
        name="name"
        label="Name"
        rule={rules('name')}
        description="Letters, digits, “-”, “_” and “.”. Default: the part of the email before the @."
        autoComplete={isOwn ? 'username' : 'off'}
      />
      <TextField
        name="display_name"
        label="Display name"
        rule={rules('display_name')}
        description="Shown to other people. Default: the name."
        autoComplete={isOwn ? 'name' : 'off'}
      />
      <NewPassword name="password" whose={isOwn ? 'your' : 'their'} />
    </>
  );
}

export const readAccount = (fields: Fields): NewAccount => ({
  email: fields.text('email') ?? '',
  name: fields.text('name'),
  display_name: fields.text('display_name'),
  password: fields.secret('password'),
});
