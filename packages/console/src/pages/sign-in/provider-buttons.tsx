import { Button, Divider, Stack } from '@mantine/core';
import { useSignInProviders } from '../../api/account/sign-in.ts';
import { withQuery } from '../../paths.ts';

/** Buttons to sign in with identity providers; the server opens `next` afterwards. */
export default function ProviderButtons({ next }: { next: string }) {
  const { data: providers = [] } = useSignInProviders();
  if (providers.length === 0) return null;
  return (
    <Stack gap="sm">
      <Divider label="or" />
      {providers.map(({ name, display_name, url }) => (
        <Button key={name} component="a" href={withQuery(url, { next })} variant="default">
          Sign in with {display_name}
        </Button>
      ))}
    </Stack>
  );
}
