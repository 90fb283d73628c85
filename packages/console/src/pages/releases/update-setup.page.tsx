import { Anchor, Button, Paper, Stack, Text } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { type UpdateSetup, useSetUpUpdates } from '../../api/releases/update-setup.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentUser } from '../../context/current-user.ts';

/** Parameters that the SDK put into the URL; undefined if they are invalid. */
function readSetup(query: URLSearchParams): UpdateSetup | undefined {
  const [release_hash, redirect_id, request_id] = ['release_hash', 'redirect_id', 'request_id'].map((name) =>
    query.get(name),
  );
  const platform = query.get('platform');
  if (!release_hash || !redirect_id || !request_id || (platform !== 'Android' && platform !== 'iOS')) return undefined;
  return { release_hash, redirect_id, request_id, platform };
}

/** Target of the SDK's sign-in for updates. Needs a click: a link alone must not hand out a token. */
export default function UpdateSetupPage() {
  const me = useCurrentUser();
  const { secret = '' } = useParams();
  const [query] = useSearchParams();
  const setup = readSetup(query);
  return (
    <Page
      title="Set up in-app updates"
      description={`The app will get the releases distributed to ${me.display_name}.`}
    >
      <Paper withBorder p="lg" maw={640}>
        {setup ? (
          <SetupForm secret={secret} setup={setup} />
        ) : (
          <Text>Apps open this page when they check for updates. Restart the app to open this page again.</Text>
        )}
      </Paper>
    </Page>
  );
}

function SetupForm({ secret, setup }: { secret: string; setup: UpdateSetup }) {
  const mutation = useSetUpUpdates(secret);
  const result = mutation.data;
  if (result) {
    return (
      <Stack align="flex-start">
        <Text>
          {result.is_set_up
            ? `${result.app_display_name} now gets your updates.`
            : `The installed build of ${result.app_display_name} wasn't distributed to you, so it gets no updates. Install it from its install page with this account.`}
        </Text>
        <Anchor href={result.redirect_url}>Open the app, if it doesn't open automatically</Anchor>
      </Stack>
    );
  }
  return (
    <Stack align="flex-start">
      <Text>Continue only if the app on this device opened this page.</Text>
      {mutation.error && <Failure error={mutation.error} />}
      <Button
        loading={mutation.isPending}
        onClick={() =>
          mutation.mutate(setup, { onSuccess: ({ redirect_url }) => window.location.assign(redirect_url) })
        }
      >
        Continue to the app
      </Button>
    </Stack>
  );
}
