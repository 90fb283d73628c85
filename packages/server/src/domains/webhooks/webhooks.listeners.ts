import { onInTransaction } from '../../jobs/index.ts';
import { toIso } from '../../kernel/clock.ts';
import { memberJoined } from '../accounts/index.ts';
import { appTransferred } from '../apps/index.ts';
import { tokenExpiring } from '../tokens/index.ts';
import { announceForApp, announceForOrg } from './announcements.ts';
import { fanOut } from './fan-out.ts';
import { disableAppWebhooks } from './webhook-channel.ts';
import { announced } from './webhooks.events.ts';

/** Announces events of lower domains, which cannot import this one. */
export const webhookListeners = [
  onInTransaction(announced, fanOut),
  onInTransaction(appTransferred, (ctx, { appId }) => disableAppWebhooks(ctx, appId)),
  onInTransaction(memberJoined, (ctx, { orgId, name, displayName, role }) =>
    announceForOrg(ctx, 'memberJoined', orgId, (page) => ({
      url: page('people'),
      user_name: name,
      user_display_name: displayName,
      role,
    })),
  ),
  onInTransaction(tokenExpiring, async (ctx, { tokenId, appId, orgId, description, expiresAt, holder }) => {
    const once = { once: `token-expiring ${tokenId}` };
    const token = { api_token_id: tokenId, ...(description ? { description } : {}), expires_at: toIso(expiresAt) };
    if (appId) {
      await announceForApp(
        ctx,
        'appTokenExpiring',
        appId,
        ({ page }) => ({ url: page('tokens'), ...token, created_by: holder }),
        once,
      );
    }
    if (orgId) {
      await announceForOrg(
        ctx,
        'serviceAccountTokenExpiring',
        orgId,
        (page) => ({ url: page(`service-accounts/${encodeURIComponent(holder)}`), ...token, service_account: holder }),
        once,
      );
    }
  }),
];
