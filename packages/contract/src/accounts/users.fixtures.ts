import { ApiError } from '../endpoint/api-error.ts';
import {
  type FixtureServer,
  type Fixtures,
  type Person,
  password,
  putId,
  signIn,
  withToken,
} from '../fixtures/fixtures.ts';
import { adminUserTokens_delete, adminUserTokens_list } from '../tokens/api-tokens.contract.ts';
import { adminUsers_resetPassword } from './password-resets.contract.ts';
import {
  adminUsers_create,
  adminUsers_delete,
  adminUsers_list,
  adminUsers_update,
  users_get,
} from './users.contract.ts';

const grace = { name: 'grace', email: 'grace@example.com', display_name: 'Grace Hopper', password };
const mary = { name: 'mary', email: 'mary@example.com', display_name: 'Mary Somerville', password };
const linus = { name: 'linus', email: 'linus@example.com', display_name: 'Linus Torvalds', password };

/** The users. Ada exists already, because a server has an administrator from its first start on. */
export async function addPeople(server: FixtureServer): Promise<Fixtures> {
  const person = async (name: string): Promise<Person> => {
    const token = await signIn(server, name, 'Fixtures');
    const call = withToken(server, token);
    const { id, email } = await call(users_get);
    return { id, name, email, token, call };
  };
  const ada = await person('ada');
  for (const body of [grace, linus]) await ada.call(adminUsers_create, { body });
  const fixtures = { server, ada, grace: await person('grace'), linus: await person('linus'), ids: new Map() };
  putId(fixtures, adminUsers_update, 'user_id', ada.id);
  putId(fixtures, adminUsers_resetPassword, 'user_id', fixtures.grace.id);
  return fixtures;
}

/** Mary, with a token of hers: no other example depends on her. */
export async function addMary(fixtures: Fixtures): Promise<void> {
  const { server, ada } = fixtures;
  await ada.call(adminUsers_create, { body: mary });
  const { values } = await ada.call(adminUsers_list, { query: { limit: 200 } });
  const user_id = values.find(({ name }) => name === mary.name)?.id ?? '';
  await signIn(server, mary.name, 'nightly build');
  const [token] = await ada.call(adminUserTokens_list, { params: { user_id } });
  putId(fixtures, adminUsers_delete, 'user_id', user_id);
  putId(fixtures, adminUserTokens_delete, 'api_token_id', token?.id ?? '');
}

/** Restores all users. Those that lost their token, such as disabled ones, get a new one. */
export async function restorePeople({ server, ada, grace, linus }: Fixtures): Promise<void> {
  await ada.call(adminUsers_update, { params: { user_id: ada.id }, body: { password } });
  for (const person of [grace, linus]) {
    const params = { user_id: person.id };
    await ada.call(adminUsers_update, { params, body: { is_disabled: false, is_admin: false } });
    if (await isSignedIn(person)) continue;
    await ada.call(adminUsers_update, { params, body: { password } });
    person.token = await signIn(server, person.name, 'Fixtures');
    person.call = withToken(server, person.token);
  }
}

async function isSignedIn({ call }: Person): Promise<boolean> {
  try {
    await call(users_get);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}
