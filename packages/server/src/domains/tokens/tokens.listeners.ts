import { onInTransaction } from '../../jobs/index.ts';
import { tokensRevoked } from '../accounts/index.ts';
import { appAccessLowered, appTransferred } from '../apps/index.ts';
import { revokeTokensMadeBy, revokeTokensOfApp, revokeUnentitledTokens } from './revocation.ts';

export const tokenListeners = [
  onInTransaction(tokensRevoked, (ctx, { userId, alsoOfApps }) => revokeTokensMadeBy(ctx, userId, { alsoOfApps })),
  onInTransaction(appAccessLowered, revokeUnentitledTokens),
  // Whoever made them for the owner before must not go on acting for the app.
  onInTransaction(appTransferred, (ctx, { appId }) => revokeTokensOfApp(ctx, appId)),
];
