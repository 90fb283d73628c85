import { useParams } from 'react-router';
import { useSubscription } from '../../api/health/subscriptions.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Page } from '../../components/layout/page.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { paths, withQuery } from '../../paths.ts';
import { Feeds } from './feeds.tsx';
import { Webhooks } from './webhooks.tsx';

export default function SubscriptionPage() {
  const { subscription: id = '' } = useParams();
  const query = useSubscription(id);
  return (
    <QueryBoundary query={query} isPage>
      {({ subscriptionId, displayName }) => (
        <Page
          title={displayName}
          description="Webhooks and feeds use your access, and stop working when you lose it."
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
    </QueryBoundary>
  );
}
