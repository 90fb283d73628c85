import { webhooks_create } from '@mooring/contract';
import { appWebhooks } from '../../api/webhooks-of-apps.ts';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { WebhookList } from './webhook-list.tsx';

export default function AppWebhooksPage() {
  const { appRef, params, may } = useAppHere();
  return (
    <WebhookList
      of={appWebhooks(appRef)}
      isOfOrg={false}
      mayChange={may(webhooks_create)}
      lead="What happens to this app, sent to a chat or a program of yours, signed."
      pathOf={(webhook) => pathTo('appWebhook', { ...params, webhook })}
    />
  );
}
