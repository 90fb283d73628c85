import { Alert } from '@mantine/core';
import { signInProblems } from '@mooring/contract';
import { IconAlertTriangle } from '@tabler/icons-react';

const isProblem = (code: string): code is keyof typeof signInProblems => Object.hasOwn(signInProblems, code);

/** Why the sign-in with a provider failed. Only known texts are shown, never one from the URL. */
export default function ProviderProblem({ code }: { code: string }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {signInProblems[isProblem(code) ? code : 'invalid']}
    </Alert>
  );
}
