import { webhooks_create } from '@mooring/contract';
import { appWebhooks } from '../../api/app-webhooks.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { WebhookList } from './webhook-list.tsx';

export default function AppWebhooksPage() {
  const { appRef, params, can } = useCurrentApp();
  return (
    <WebhookList
      operations={appWebhooks(appRef)}
      isOrg={false}
      canChange={can(webhooks_create)}
      description="Send signed messages about this app to a chat or your own service."
      getPath={(webhook) => pathTo('appWebhook', { ...params, webhook })}
    />
  );
}
