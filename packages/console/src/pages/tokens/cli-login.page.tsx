import { Button, Code, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { myTokens, useCreateToken } from '../../api/account/tokens.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page } from '../../components/layout/page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { paths } from '../../paths.ts';
import { DeviceCode } from './device-code.tsx';

/** Target of CLI sign-in. Needs a click: a link alone must not create a token. */
export default function CliLoginPage() {
  const [query] = useSearchParams();
  const me = useCurrentUser();
  const host = query.get('hostname')?.trim().slice(0, 200);
  if (host) return <AccessCode host={host} />;
  return (
    <Page
      title="Sign in to the command line"
      description={`This creates a Full Access API token for ${me.display_name}.`}
    >
      <DeviceCode linked={query.get('code')?.slice(0, 40) || undefined} />
    </Page>
  );
}

/** A token to copy, for appcenter-cli and `mooring login --browser`. */
function AccessCode({ host }: { host: string }) {
  const me = useCurrentUser();
  const creation = useCreateToken(myTokens);
  const [value, setValue] = useState<string>();
  const create = () =>
    creation.mutate(
      { description: host },
      {
        onSuccess: ({ api_token }) => {
          setValue(api_token);
          creation.reset();
        },
      },
    );
  return (
    <Page
      title="Sign in to the command line"
      description={`This creates a Full Access API token for ${me.display_name}.`}
    >
      <Paper withBorder p="lg" maw={640}>
        {value ? (
          <Stack>
            <SecretValue
              secrets={[['Access code', value]]}
              warning="Copy the access code now and paste it into the command line. You can't see it again after leaving this page."
            />
            <Text size="sm" c="dimmed">
              The token is named {host}. You can delete it under <TextLink to={paths.tokens}>API tokens</TextLink>.
            </Text>
          </Stack>
        ) : (
          <Stack align="flex-start">
            <Text>
              Continue only if you just started to sign in on <Code>{host}</Code>.
            </Text>
            {creation.error && <Failure error={creation.error} title="Couldn't create an access code" />}
            <Button loading={creation.isPending} onClick={create}>
              Create access code
            </Button>
          </Stack>
        )}
      </Paper>
    </Page>
  );
}
