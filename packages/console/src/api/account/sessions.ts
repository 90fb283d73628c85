import { type EndpointOutput, sessions_delete, sessions_list } from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

export type Session = EndpointOutput<typeof sessions_list>[number];

const SESSIONS = ['sessions'];

export const useSessions = () => useRead(SESSIONS, () => call(sessions_list));

export const useEndSession = () =>
  useChange((id: string) => call(sessions_delete, { params: { session_id: id } }), SESSIONS);
