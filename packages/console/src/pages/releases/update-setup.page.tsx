import { Anchor, Button, Paper, Stack, Text } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { type UpdateSetup, useSetUpUpdates } from '../../api/update-setup.ts';
import { Failure } from '../../parts/failure.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';

/** What an SDK wrote into the address; nothing, if somebody else did. */
function readSetup(query: URLSearchParams): UpdateSetup | undefined {
  const [release_hash, redirect_id, request_id] = ['release_hash', 'redirect_id', 'request_id'].map((name) =>
    query.get(name),
  );
  const platform = query.get('platform');
  if (!release_hash || !redirect_id || !request_id || (platform !== 'Android' && platform !== 'iOS')) return undefined;
  return { release_hash, redirect_id, request_id, platform };
}

/** Where an app sends its tester to sign in for updates; a press, because a mere link must not give an app a token. */
export default function UpdateSetupPage() {
  const me = useMe();
  const { secret = '' } = useParams();
  const [query] = useSearchParams();
  const setup = readSetup(query);
  return (
    <Page title="Updates of an app" lead={`The app is going to get the releases that ${me.display_name} was given.`}>
      <Paper withBorder p="lg" maw={640}>
        {setup ? (
          <GoOn secret={secret} setup={setup} />
        ) : (
          <Text>
            This page is opened by an app that looks for updates. Start the app again, and let it open this page.
          </Text>
        )}
      </Paper>
    </Page>
  );
}

function GoOn({ secret, setup }: { secret: string; setup: UpdateSetup }) {
  const giving = useSetUpUpdates(secret);
  const given = giving.data;
  if (given) {
    return (
      <Stack align="flex-start">
        <Text>
          {given.is_set_up
            ? `${given.app_display_name} now looks for your updates.`
            : `The build of ${given.app_display_name} on this device was not given to you, so it gets no updates by itself. Install it from its install page, with this account.`}
        </Text>
        <Anchor href={given.redirect_url}>Back to the app, if it does not open by itself</Anchor>
      </Stack>
    );
  }
  return (
    <Stack align="flex-start">
      <Text>Go on only if the app on this device has just sent you here.</Text>
      {giving.error && <Failure error={giving.error} />}
      <Button
        loading={giving.isPending}
        onClick={() => giving.mutate(setup, { onSuccess: ({ redirect_url }) => window.location.assign(redirect_url) })}
      >
        Go on to the app
      </Button>
    </Stack>
  );
}
