import { type OutputOf, sessions_delete, sessions_list } from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { forgetVisits } from '../parts/recent.ts';
import { paths } from '../paths.ts';
import { call, useChange, useRead } from './client.ts';

export type Session = OutputOf<typeof sessions_list>[number];

const SESSIONS = ['sessions'];

export const useSessions = () => useRead(SESSIONS, () => call(sessions_list));

export const useEndSession = () =>
  useChange((id: string) => call(sessions_delete, { params: { session_id: id } }), SESSIONS);

/** Ends this session and leaves by loading the page anew, so that nothing of it stays in memory. */
export const useSignOut = (to: string = paths.signIn) =>
  useMutation({
    mutationFn: () => call(sessions_delete, { params: { session_id: 'current' } }),
    onSuccess: () => {
      forgetVisits();
      window.location.assign(to);
    },
  });
