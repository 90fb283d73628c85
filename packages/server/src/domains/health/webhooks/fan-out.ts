import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { addDeliveries } from '../../../outbound/delivery/index.ts';
import { concernsReader, findChange, type KeptChange } from '../events/changes.ts';
import { parseStored } from '../events/rendering.ts';
import { parseFilter } from '../filter/filter.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { type FilterFields, filterFieldsOf, matchesFilter } from '../filter/filter-match.ts';
import { readerOf } from '../listing/listing.ts';
import { pageEnabledWebhooks } from './health-webhooks.store.ts';

const PAGE = 500;

type Candidate = Awaited<ReturnType<typeof pageEnabledWebhooks.all>>[number];
type Passed = Pick<KeptChange, 'id' | 'kind' | 'name' | 'audiences' | 'except'> & { fields: FilterFields };

async function read(ctx: Ctx, changeIds: readonly string[]): Promise<Passed[]> {
  const changes: Passed[] = [];
  for (const changeId of changeIds) {
    const change = await findChange(ctx, changeId);
    if (!change) continue;
    const { id, kind, name, audiences, except = '', body } = change;
    changes.push({ id, kind, name, audiences, except, fields: filterFieldsOf(parseStored(body)) });
  }
  return changes;
}

/** Each filter is read once, however many webhooks have it. */
function filterReader(): (text: string) => FilterNode | undefined {
  const known = new Map<string, FilterNode | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, text === '' ? undefined : parseFilter(text));
    return known.get(text);
  };
}

/** Makes a delivery for each webhook that waits for one of these changes. Doing it again adds nothing. */
export async function fanOut(ctx: Ctx, changeIds: readonly string[]): Promise<void> {
  const changes = await read(ctx, changeIds);
  const filterOf = filterReader();
  const wants = ({ subscription_id, tenant_id, filter }: Candidate, change: Passed): boolean => {
    const reader = readerOf({ subscription: { id: subscription_id, tenantId: tenant_id } });
    if (!concernsReader(reader, change)) return false;
    const node = filterOf(filter);
    return node === undefined || matchesFilter(node, change.fields);
  };

  for (let after = ''; ; ) {
    const webhooks = await pageEnabledWebhooks.all(ctx.db, { after, limit: PAGE });
    for (const change of changes) {
      const wanted = webhooks.filter((webhook) => wants(webhook, change));
      if (wanted.length === 0) continue;
      const { id: sourceId, kind, name: subject } = change;
      const endpointIds = wanted.map(({ id }) => id);
      await tx(ctx, (ctx) => addDeliveries(ctx, { endpointIds, sourceId, kind, subject }));
    }
    const last = webhooks.at(-1);
    if (webhooks.length < PAGE || !last) return;
    after = last.id;
  }
}
