import { ApiError } from '@mooring/contract';
import { useState } from 'react';
import { TextField } from '../../components/forms/fields.tsx';
import type { Fields } from '../../components/forms/form.tsx';

/** The code of the second factor, if the user entered one. */
export function readCode(fields: Fields): { code?: string } {
  const code = fields.text('code');
  return code === undefined ? {} : { code };
}

/** Appears once the server has asked for a code. */
export function CodeField({ error }: { error: unknown }) {
  const [isShown, setShown] = useState(false);
  if (!isShown && error instanceof ApiError && error.secondFactor === 'required') setShown(true);
  if (!isShown) return null;
  return (
    <TextField
      name="code"
      label="Code"
      description="From your authenticator app, or one of your recovery codes."
      rule={{ isRequired: true }}
      autoComplete="one-time-code"
      autoFocus
    />
  );
}
