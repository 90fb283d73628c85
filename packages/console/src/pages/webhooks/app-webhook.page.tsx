import { webhooks_update } from '@mooring/contract';
import { useParams } from 'react-router';
import { appWebhooks } from '../../api/app-webhooks.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { WebhookView } from './webhook-view.tsx';

export default function AppWebhookPage() {
  const { webhook = '' } = useParams();
  const { appRef, params, can } = useCurrentApp();
  return (
    <WebhookView
      operations={appWebhooks(appRef)}
      id={webhook}
      isOrg={false}
      canChange={can(webhooks_update)}
      back={pathTo('appWebhooks', params)}
    />
  );
}
