import { Button, Divider, Stack } from '@mantine/core';
import { useSignInProviders } from '../../api/account/sign-in.ts';
import { withQuery } from '../../paths.ts';
import { PasskeyButton, supportsPasskeys } from './passkey-button.tsx';

/** Buttons to sign in with a passkey, and with identity providers; the server opens `next` afterwards. */
export default function ProviderButtons({ next }: { next: string }) {
  const { data: providers = [] } = useSignInProviders();
  if (providers.length === 0 && !supportsPasskeys()) return null;
  return (
    <Stack gap="sm">
      <Divider label="or" />
      <PasskeyButton />
      {providers.map(({ name, display_name, url }) => (
        <Button key={name} component="a" href={withQuery(url, { next })} variant="default">
          Sign in with {display_name}
        </Button>
      ))}
    </Stack>
  );
}
