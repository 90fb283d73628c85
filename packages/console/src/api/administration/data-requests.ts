import {
  dataRequests_list,
  dataSubjectRight_cancelDeleteRequest,
  dataSubjectRight_cancelExportRequest,
  dataSubjectRight_deleteRequest,
  dataSubjectRight_exportRequest,
  type EndpointOutput,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { call, useChange } from '../client.ts';

export type DataRequest = EndpointOutput<typeof dataRequests_list>['values'][number];

const REQUESTS = ['data-requests'];

export const isBeingMade = ({ kind, status }: DataRequest): boolean =>
  kind === 'export' && (status === 'Created' || status === 'InProgress');

/** Polls while an archive is being created. */
export const useDataRequests = () =>
  useQuery({
    queryKey: REQUESTS,
    queryFn: async () => (await call(dataRequests_list)).values,
    refetchInterval: ({ state }) => (state.data?.some(isBeingMade) ? 2000 : false),
  });

export const useRequestExport = () => useChange(() => call(dataSubjectRight_exportRequest, { body: {} }), REQUESTS);

export const useRequestDeletion = () => useChange(() => call(dataSubjectRight_deleteRequest, { body: {} }), REQUESTS);

export const useCancelRequest = () =>
  useChange(
    ({ kind, token }: DataRequest) =>
      kind === 'export'
        ? call(dataSubjectRight_cancelExportRequest, { params: { token }, body: {} })
        : call(dataSubjectRight_cancelDeleteRequest, { params: { token }, body: {} }),
    REQUESTS,
  );
