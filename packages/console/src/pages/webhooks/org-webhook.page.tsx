import { orgWebhooks_update } from '@mooring/contract';
import { useParams } from 'react-router';
import { orgWebhooks } from '../../api/app-webhooks.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { WebhookView } from './webhook-view.tsx';

export default function OrgWebhookPage() {
  const { webhook = '' } = useParams();
  const { org, params, can } = useCurrentOrg();
  return (
    <WebhookView
      operations={orgWebhooks(org.name)}
      id={webhook}
      isOrg
      canChange={can(orgWebhooks_update)}
      back={pathTo('orgWebhooks', params)}
    />
  );
}
