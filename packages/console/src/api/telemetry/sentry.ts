import { type EndpointOutput, sentry_get } from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call } from '../client.ts';

export type SentryDsn = EndpointOutput<typeof sentry_get>;

export const useSentryDsn = (params: AppRef) =>
  useQuery({ queryKey: [...appKey(params), 'sentry'], queryFn: () => call(sentry_get, { params }) });
