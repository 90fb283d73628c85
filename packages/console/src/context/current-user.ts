import { createContext, useContext } from 'react';
import type { User } from '../api/account/account.ts';

export const CurrentUserContext = createContext<User | undefined>(undefined);

/** The signed-in user, on every page below `SignedIn`. */
export function useCurrentUser(): User {
  const me = useContext(CurrentUserContext);
  if (!me) throw new Error('This page is not below SignedIn.');
  return me;
}
