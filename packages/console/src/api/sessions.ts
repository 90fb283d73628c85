import { type OutputOf, sessions_delete, sessions_list } from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, queries } from './client.ts';

export type Session = OutputOf<typeof sessions_list>[number];

const SESSIONS = ['sessions'];

export const useSessions = () => useQuery({ queryKey: SESSIONS, queryFn: () => call(sessions_list) });

export const useEndSession = () =>
  useMutation({
    mutationFn: (id: string) => call(sessions_delete, { params: { session_id: id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });

/** Ends this session and leaves by loading the page anew, so that nothing of it stays in memory. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => call(sessions_delete, { params: { session_id: 'current' } }),
    onSuccess: () => window.location.assign('/sign-in'),
  });
