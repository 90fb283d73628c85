import { createContext, useContext } from 'react';
import type { User } from '../api/account.ts';

export const Me = createContext<User | undefined>(undefined);

/** The signed-in user, on every page below `SignedIn`. */
export function useMe(): User {
  const me = useContext(Me);
  if (!me) throw new Error('This page is not below SignedIn.');
  return me;
}
