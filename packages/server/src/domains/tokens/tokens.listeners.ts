import { onInTransaction } from '../../jobs/index.ts';
import { tokensRevoked } from '../accounts/index.ts';
import { appAccessLowered, appTransferred } from '../apps/index.ts';
import { revokeAppTokens, revokeTokensMadeBy, revokeUnentitledTokens } from './revocation.ts';

export const tokenListeners = [
  onInTransaction(tokensRevoked, (ctx, { userId, includesAppTokens }) =>
    revokeTokensMadeBy(ctx, userId, { includesAppTokens }),
  ),
  onInTransaction(appAccessLowered, revokeUnentitledTokens),
  // Tokens of the previous owner must not act for the app.
  onInTransaction(appTransferred, (ctx, { appId }) => revokeAppTokens(ctx, appId)),
];
