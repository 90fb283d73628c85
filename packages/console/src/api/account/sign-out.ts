import { signOut_create } from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { clearVisits } from '../../routing/recent-visits.ts';
import { call } from '../client.ts';

/** Signs out and reloads the page, so that nothing of the session stays in memory. */
export const useSignOut = (to: string = paths.signIn) =>
  useMutation({
    mutationFn: () => call(signOut_create, { body: {} }),
    onSuccess: ({ location }) => {
      clearVisits();
      window.location.assign(location ?? to);
    },
  });
