import { orgWebhooks_create } from '@mooring/contract';
import { orgWebhooks } from '../../api/webhooks-of-apps.ts';
import { useOrgHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { WebhookList } from './webhook-list.tsx';

export default function OrgWebhooksPage() {
  const { org, params, may } = useOrgHere();
  return (
    <WebhookList
      of={orgWebhooks(org.name)}
      isOfOrg
      mayChange={may(orgWebhooks_create)}
      lead="What happens to this organization and all its apps, sent to a chat or a program of yours, signed."
      pathOf={(webhook) => pathTo('orgWebhook', { ...params, webhook })}
    />
  );
}
