import { Checkbox, PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core';
import { PASSWORD_MAX, PASSWORD_MIN } from '@mooring/contract';
import type { NewPerson } from '../api/account.ts';
import type { Fields } from './form.tsx';

export const NewPassword = ({ whose = 'your', ...props }: PasswordInputProps & { whose?: 'your' | 'their' }) => (
  <PasswordInput
    label="Password"
    description={`At least ${PASSWORD_MIN} characters, and not ${whose} name or e-mail.`}
    autoComplete="new-password"
    required
    minLength={PASSWORD_MIN}
    maxLength={PASSWORD_MAX}
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
        <TextInput
          name="email"
          label="E-mail"
          type="email"
          required
          maxLength={254}
          autoComplete={isOwn ? 'email' : 'off'}
          data-autofocus
          // In a dialog, which somebody else's account is made in, this would make it forget who opened it.
          autoFocus={isOwn}
        />
      )}
      <TextInput
        name="name"
        label="Name (optional)"
        description="Letters, digits, “-”, “_” and “.”. Without one, the part of the e-mail before the @ is used."
        maxLength={100}
        autoComplete={isOwn ? 'username' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextInput
        name="display_name"
        label="Display name (optional)"
        description="As others see it; the name, if left empty."
        maxLength={128}
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
