import { orgWebhooks_create } from '@mooring/contract';
import { orgWebhooks } from '../../api/app-webhooks.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { WebhookList } from './webhook-list.tsx';

export default function OrgWebhooksPage() {
  const { org, params, can } = useCurrentOrg();
  return (
    <WebhookList
      operations={orgWebhooks(org.name)}
      isOrg
      canChange={can(orgWebhooks_create)}
      description="Send signed messages about this organization and its apps to a chat or your own service."
      getPath={(webhook) => pathTo('orgWebhook', { ...params, webhook })}
    />
  );
}
