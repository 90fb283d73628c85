import { type EndpointOutput, sessions_delete, sessions_list } from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { clearVisits } from '../../routing/recent-visits.ts';
import { call, useChange, useRead } from '../client.ts';

export type Session = EndpointOutput<typeof sessions_list>[number];

const SESSIONS = ['sessions'];

export const useSessions = () => useRead(SESSIONS, () => call(sessions_list));

export const useEndSession = () =>
  useChange((id: string) => call(sessions_delete, { params: { session_id: id } }), SESSIONS);

/** Signs out and reloads the page, so that nothing of the session stays in memory. */
export const useSignOut = (to: string = paths.signIn) =>
  useMutation({
    mutationFn: () => call(sessions_delete, { params: { session_id: 'current' } }),
    onSuccess: () => {
      clearVisits();
      window.location.assign(to);
    },
  });
