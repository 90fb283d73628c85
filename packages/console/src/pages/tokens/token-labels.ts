import type { ApiToken } from '../../api/account/tokens.ts';

export const getTokenName = ({ description }: ApiToken): string => description || '(unnamed)';

export const formatAccess = ({ scope }: ApiToken): string => {
  if (scope.includes('all')) return 'Full Access';
  return scope.includes('viewer') ? 'Read-Only' : scope.join(', ');
};

export const isExpired = ({ expires_at }: ApiToken, now: number): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now;
