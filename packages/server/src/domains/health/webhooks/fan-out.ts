import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { addDeliveries } from '../../../outbound/delivery/index.ts';
import { concernsReader, findChange, type StoredChange } from '../events/changes.ts';
import { parseStored } from '../events/rendering.ts';
import { type FilterFields, readFilterFields } from '../filter/event-properties.ts';
import { parseFilter } from '../filter/filter.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { matchesFilter } from '../filter/filter-match.ts';
import { createReader } from '../listing/listing.ts';
import { pageEnabledWebhooks } from './health-webhooks.store.ts';

const PAGE = 500;

type Candidate = Awaited<ReturnType<typeof pageEnabledWebhooks.all>>[number];
type Passed = Pick<StoredChange, 'id' | 'kind' | 'name' | 'audiences' | 'except'> & { fields: FilterFields };

async function read(ctx: Ctx, changeIds: readonly string[]): Promise<Passed[]> {
  const changes: Passed[] = [];
  for (const changeId of changeIds) {
    const change = await findChange(ctx, changeId);
    if (!change) continue;
    const { id, kind, name, audiences, except = '', body } = change;
    changes.push({ id, kind, name, audiences, except, fields: readFilterFields(parseStored(body)) });
  }
  return changes;
}

/** Parses each filter once, even if several webhooks share it. */
function filterReader(): (text: string) => FilterNode | undefined {
  const known = new Map<string, FilterNode | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, text === '' ? undefined : parseFilter(text));
    return known.get(text);
  };
}

/** Creates a delivery for each webhook that receives one of these changes. Running it again adds nothing. */
export async function fanOut(ctx: Ctx, changeIds: readonly string[]): Promise<void> {
  const changes = await read(ctx, changeIds);
  const readFilter = filterReader();
  const matchesChange = ({ subscription_id, tenant_id, filter }: Candidate, change: Passed): boolean => {
    const reader = createReader({ subscription: { id: subscription_id, tenantId: tenant_id } });
    if (!concernsReader(reader, change)) return false;
    const node = readFilter(filter);
    return node === undefined || matchesFilter(node, change.fields);
  };

  for (let after = ''; ; ) {
    const webhooks = await pageEnabledWebhooks.all(ctx.db, { after, limit: PAGE });
    for (const change of changes) {
      const matching = webhooks.filter((webhook) => matchesChange(webhook, change));
      if (matching.length === 0) continue;
      const { id: sourceId, kind, name: subject } = change;
      const endpointIds = matching.map(({ id }) => id);
      await tx(ctx, (ctx) => addDeliveries(ctx, { endpointIds, sourceId, kind, subject }));
    }
    const last = webhooks.at(-1);
    if (webhooks.length < PAGE || !last) return;
    after = last.id;
  }
}
