import { webhooks_update } from '@mooring/contract';
import { useParams } from 'react-router';
import { appWebhooks } from '../../api/webhooks-of-apps.ts';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { WebhookView } from './webhook-view.tsx';

export default function AppWebhookPage() {
  const { webhook = '' } = useParams();
  const { appRef, params, may } = useAppHere();
  return (
    <WebhookView
      of={appWebhooks(appRef)}
      id={webhook}
      isOfOrg={false}
      mayChange={may(webhooks_update)}
      back={pathTo('appWebhooks', params)}
    />
  );
}
