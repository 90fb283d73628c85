import { Alert } from '@mantine/core';
import { signInProblems } from '@mooring/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';

const isProblem = (code: string): code is keyof typeof signInProblems => Object.hasOwn(signInProblems, code);

/** Why the session ended, or why the sign-in with a provider failed. Only known texts are shown, never one from the URL. */
export default function ProviderProblem({ code }: { code: string }) {
  if (code === 'signed_out') {
    return (
      <Alert icon={<IconInfoCircle aria-hidden />} role="status">
        You were signed out. Sign in to return to the page.
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {signInProblems[isProblem(code) ? code : 'invalid']}
    </Alert>
  );
}
