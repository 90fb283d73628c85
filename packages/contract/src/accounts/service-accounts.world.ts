import type { World } from '../world/world.ts';
import { serviceAccounts_create } from './service-accounts.contract.ts';

export async function addServiceAccount({ ada }: World): Promise<void> {
  const body = { name: 'build-robot', display_name: 'Build robot' };
  await ada.call(serviceAccounts_create, { params: { org_name: 'lighthouse' }, body });
}
