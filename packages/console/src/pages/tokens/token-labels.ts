import type { ApiToken } from '../../api/account/tokens.ts';

export const getTokenName = ({ description }: ApiToken): string => description || '(unnamed)';

export const formatAccess = ({ scope }: ApiToken): string => (scope.includes('all') ? 'Full Access' : 'Read-Only');

export const isExpired = ({ expires_at }: ApiToken, now: number): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now;
