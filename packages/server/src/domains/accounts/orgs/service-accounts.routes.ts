import { serviceAccounts_create, serviceAccounts_delete, serviceAccounts_list } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
} from './service-accounts.ts';

const toWire = (account: ServiceAccount) => ({
  id: account.id,
  name: account.name,
  display_name: account.displayName,
  role: account.role,
  created_at: toIso(account.createdAt),
});

export const serviceAccountRoutes = [
  route(serviceAccounts_list, async (ctx, { query }) => (await listServiceAccounts(ctx, query)).map(toWire)),
  route(serviceAccounts_create, async (ctx, { body: { display_name, ...rest } }) =>
    toWire(await createServiceAccount(ctx, { ...rest, displayName: display_name })),
  ),
  route(serviceAccounts_delete, (ctx, { params }) => deleteServiceAccount(ctx, params.account_name)),
];
