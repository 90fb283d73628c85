import { type Person, password, putId, signIn, type World, type WorldServer, withToken } from '../world/world.ts';
import { adminUsers_resetPassword } from './password-resets.contract.ts';
import { adminUsers_create, adminUsers_update, users_get } from './users.contract.ts';

const grace = { name: 'grace', email: 'grace@example.com', display_name: 'Grace Hopper', password };
const linus = { name: 'linus', email: 'linus@example.com', display_name: 'Linus Torvalds', password };

/** The people, of whom ada is there already: a server has an administrator from its first start on. */
export async function addPeople(server: WorldServer): Promise<World> {
  const person = async (name: string): Promise<Person> => {
    const token = await signIn(server, name, 'world');
    const call = withToken(server, token);
    const { id, email } = await call(users_get);
    return { id, name, email, token, call };
  };
  const ada = await person('ada');
  for (const body of [grace, linus]) await ada.call(adminUsers_create, { body });
  const world = { server, ada, grace: await person('grace'), linus: await person('linus'), ids: new Map() };
  putId(world, adminUsers_update, 'user_id', ada.id);
  putId(world, adminUsers_resetPassword, 'user_id', world.grace.id);
  return world;
}

/** Everybody as they were. */
export async function mendPeople({ ada, grace, linus }: World): Promise<void> {
  const body = { is_disabled: false, is_admin: false };
  for (const { id } of [grace, linus]) await ada.call(adminUsers_update, { params: { user_id: id }, body });
}
