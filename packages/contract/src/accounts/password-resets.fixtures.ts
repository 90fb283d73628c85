import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { adminUsers_resetPassword, passwordResets_use } from './password-resets.contract.ts';

export async function addPasswordReset(fixtures: Fixtures): Promise<void> {
  const { ada, grace } = fixtures;
  const { link } = await ada.call(adminUsers_resetPassword, { params: { user_id: grace.id } });
  putId(fixtures, passwordResets_use, 'reset_token', link.split('#token=')[1] ?? '');
}
