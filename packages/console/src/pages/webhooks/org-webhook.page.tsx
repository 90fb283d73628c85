import { orgWebhooks_update } from '@mooring/contract';
import { useParams } from 'react-router';
import { orgWebhooks } from '../../api/webhooks-of-apps.ts';
import { useOrgHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { WebhookView } from './webhook-view.tsx';

export default function OrgWebhookPage() {
  const { webhook = '' } = useParams();
  const { org, params, may } = useOrgHere();
  return (
    <WebhookView
      of={orgWebhooks(org.name)}
      id={webhook}
      isOfOrg
      mayChange={may(orgWebhooks_update)}
      back={pathTo('orgWebhooks', params)}
    />
  );
}
