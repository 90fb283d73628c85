import { Button, Code, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { myTokens, useCreateToken } from '../../api/tokens.ts';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { paths } from '../../paths.ts';

/** Where command-line clients send people to sign in; a press, because a mere link must not make a token. */
export default function CliLoginPage() {
  const me = useMe();
  const [query] = useSearchParams();
  const host = query.get('hostname')?.trim().slice(0, 200) || 'command line';
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
    <Page title="Sign in to a command line" lead={`This makes a token of ${me.display_name} with Full Access.`}>
      <Paper withBorder p="lg" maw={640}>
        {value ? (
          <Stack>
            <SecretValue
              secrets={[['Access code', value]]}
              warning="Copy the access code now, and paste it where the command line asks for it. When you leave this page it cannot be displayed again."
            />
            <Text size="sm" c="dimmed">
              Its name is {host}. You can delete it under <TextLink to={paths.tokens}>API tokens</TextLink>.
            </Text>
          </Stack>
        ) : (
          <Stack align="flex-start">
            <Text>
              Go on only if you have just started to sign in on <Code>{host}</Code>.
            </Text>
            {creation.error && <Failure error={creation.error} title="No access code was made" />}
            <Button loading={creation.isPending} onClick={create}>
              Create an access code
            </Button>
          </Stack>
        )}
      </Paper>
    </Page>
  );
}
