import { useParams } from 'react-router';
import { useSubscription } from '../../api/subscriptions.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { paths, withQuery } from '../../paths.ts';
import { Feeds } from './feeds.tsx';
import { Webhooks } from './webhooks.tsx';

export default function SubscriptionPage() {
  const { subscription: id = '' } = useParams();
  const reading = useSubscription(id);
  return (
    <Loaded reading={reading} isPage>
      {({ subscriptionId, displayName }) => (
        <Page
          title={displayName}
          lead="What you make here has your access, and ends with it."
          actions={
            <ButtonLink variant="default" to={withQuery(paths.health, { subscription: subscriptionId })}>
              View events
            </ButtonLink>
          }
        >
          <Webhooks subscriptionId={subscriptionId} />
          <Feeds subscriptionId={subscriptionId} />
        </Page>
      )}
    </Loaded>
  );
}
