import type { Fixtures } from '../fixtures/fixtures.ts';
import { serviceAccounts_create } from './service-accounts.contract.ts';

export async function addServiceAccount({ ada }: Fixtures): Promise<void> {
  const body = { name: 'build-robot', display_name: 'Build robot' };
  await ada.call(serviceAccounts_create, { params: { org_name: 'lighthouse' }, body });
}
