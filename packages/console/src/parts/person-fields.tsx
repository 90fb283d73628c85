import { Checkbox, type PasswordInputProps, TextInput } from '@mantine/core';
import { users_register } from '@mooring/contract';
import type { NewPerson } from '../api/account.ts';
import { fieldsOf } from './field-rules.ts';
import { NameField, PasswordField, TextField } from './fields.tsx';
import type { Fields } from './form.tsx';

const rules = fieldsOf(users_register);

interface NewPasswordProps extends Omit<PasswordInputProps, 'name' | 'label'> {
  name: string;
  label?: string;
  whose?: 'your' | 'their';
}

export const NewPassword = ({ whose = 'your', label = 'Password', ...props }: NewPasswordProps) => (
  <PasswordField
    label={label}
    rule={rules('password')}
    description={`At least ${rules('password').minLength} characters, and not ${whose} name or e-mail.`}
    autoComplete="new-password"
    {...props}
  />
);

/** Whoever had the password may have made tokens with it. */
export const RevokeTokens = ({ whose = 'your' }: { whose?: 'your' | 'their' }) => (
  <Checkbox
    name="revoke_tokens"
    label={`Revoke ${whose} API tokens too`}
    description={`Every one that ${whose === 'your' ? 'you' : 'they'} made, also for apps. Do it if somebody else may have known the password.`}
  />
);

/** What a new account needs, whoever makes it; an invitation says the e-mail already. */
export function PersonFields({ isOwn, email }: { isOwn: boolean; email?: string }) {
  return (
    <>
      {email ? (
        <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
      ) : (
        <TextField
          name="email"
          label="E-mail"
          rule={rules('email')}
          autoComplete={isOwn ? 'email' : 'off'}
          data-autofocus
          // In a dialog, which somebody else's account is made in, this would make it forget who opened it.
          autoFocus={isOwn}
        />
      )}
      <NameField
        name="name"
        label="Name"
        rule={rules('name')}
        description="Letters, digits, “-”, “_” and “.”. Without one, the part of the e-mail before the @ is used."
        autoComplete={isOwn ? 'username' : 'off'}
      />
      <TextField
        name="display_name"
        label="Display name"
        rule={rules('display_name')}
        description="As others see it; the name, if left empty."
        autoComplete={isOwn ? 'name' : 'off'}
      />
      <NewPassword name="password" whose={isOwn ? 'your' : 'their'} />
    </>
  );
}

export const readPerson = (fields: Fields): NewPerson => ({
  email: fields.text('email') ?? '',
  name: fields.text('name'),
  display_name: fields.text('display_name'),
  password: fields.secret('password'),
});
