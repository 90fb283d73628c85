import {
  appInvitations_accept,
  appInvitations_reject,
  distributionGroupInvitations_acceptAll,
  orgInvitations_accept,
  orgInvitations_reject,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from './client.ts';

export type InvitationKind = 'org' | 'app' | 'group';
export type Answer = 'accept' | 'reject';

const operations = {
  org: { accept: orgInvitations_accept, reject: orgInvitations_reject },
  app: { accept: appInvitations_accept, reject: appInvitations_reject },
} as const;

export const useAnswerInvitation = (kind: InvitationKind, token: string) =>
  useMutation({
    mutationFn: async (answer: Answer) => {
      if (kind === 'group') await call(distributionGroupInvitations_acceptAll, { body: { invitation_token: token } });
      else await call(operations[kind][answer], { params: { invitation_token: token } });
      return answer;
    },
    gcTime: 0,
  });
