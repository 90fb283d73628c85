import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { listOrgSubscriptions } from '../../subscriptions/index.ts';
import { announceForOrg, listOrgsAwaiting } from '../../webhooks/index.ts';
import { concernsReader, findChange } from '../events/changes.ts';
import { parseStored } from '../events/rendering.ts';
import { createReader } from '../listing/listing.ts';

/** Announces changes to the organizations of the concerned subscriptions. Running it again adds nothing. */
export async function announceChanges(ctx: Ctx, changeIds: readonly string[]): Promise<void> {
  for (const orgId of await listOrgsAwaiting(ctx, 'healthEventChanged')) {
    const subscriptions = await listOrgSubscriptions({ ...ctx, org: { id: orgId } });
    for (const changeId of changeIds) {
      const change = await findChange(ctx, changeId);
      const concerned =
        change && subscriptions.find((subscription) => concernsReader(createReader({ subscription }), change));
      if (!change || !concerned || change.kind === 'test') continue;
      const { kind, name } = change;
      const { properties } = parseStored(change.body);
      await tx(ctx, (ctx) =>
        announceForOrg(
          ctx,
          'healthEventChanged',
          orgId,
          () => ({
            url: `${ctx.publicUrl()}/health/events/${encodeURIComponent(name)}`,
            tracking_id: name,
            change: kind,
            title: properties.title ?? name,
            event_type: properties.eventType ?? 'ServiceIssue',
            status: properties.status ?? 'Active',
            subscription_id: concerned.id,
          }),
          { once: `health ${changeId} ${orgId}` },
        ),
      );
    }
  }
}
