import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useSubscription } from '../../api/subscriptions.ts';
import { Breadcrumbs } from '../../parts/breadcrumbs.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Feeds } from './feeds.tsx';
import { SUBSCRIPTIONS } from './paths.ts';
import { Webhooks } from './webhooks.tsx';

export default function SubscriptionPage() {
  const { subscription: id = '' } = useParams();
  const reading = useSubscription(id);
  return (
    <Stack gap="sm">
      <Breadcrumbs
        pages={[
          ['/health', 'Service health'],
          [SUBSCRIPTIONS, 'My subscriptions'],
        ]}
      />
      <Loaded reading={reading} isPage>
        {({ subscriptionId, displayName }) => (
          <Page
            title={displayName}
            lead="Its health events, sent to programs and read in feed readers and calendars. What you make here has your access, and ends with it."
            actions={
              <ButtonLink variant="default" to={`/health?${new URLSearchParams({ subscription: subscriptionId })}`}>
                Its events
              </ButtonLink>
            }
          >
            <Webhooks subscriptionId={subscriptionId} />
            <Feeds subscriptionId={subscriptionId} />
          </Page>
        )}
      </Loaded>
    </Stack>
  );
}
