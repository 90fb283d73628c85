import { deviceSignIns_answer, deviceSignIns_get } from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../client.ts';

/** The machine that waits for a code to be confirmed. */
export const useDeviceSignIn = (code: string | undefined) =>
  useQuery({
    queryKey: ['device-sign-in', code],
    queryFn: () => call(deviceSignIns_get, { query: { user_code: code ?? '' } }),
    enabled: code !== undefined,
    // A repeated request would count as a further guess.
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });

export const useDecideDevice = (code: string) =>
  useMutation({
    mutationFn: (isAllowed: boolean) =>
      call(deviceSignIns_answer, { body: { user_code: code, is_allowed: isAllowed } }),
    gcTime: 0,
  });
