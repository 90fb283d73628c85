import { putId, type World } from '../world/world.ts';
import { adminUsers_resetPassword, passwordResets_use } from './password-resets.contract.ts';

export async function addPasswordReset(world: World): Promise<void> {
  const { ada, grace } = world;
  const { link } = await ada.call(adminUsers_resetPassword, { params: { user_id: grace.id } });
  putId(world, passwordResets_use, 'reset_token', link.split('#token=')[1] ?? '');
}
