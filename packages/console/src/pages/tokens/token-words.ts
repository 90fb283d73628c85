import type { ApiToken } from '../../api/tokens.ts';

export const nameOf = ({ description }: ApiToken): string => description || '(unnamed)';

export const accessOf = ({ scope }: ApiToken): string => (scope.includes('all') ? 'Full Access' : 'Read-Only');

export const isExpired = ({ expires_at }: ApiToken, now: number): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= now;
