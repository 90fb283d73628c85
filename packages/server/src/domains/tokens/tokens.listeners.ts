import { onInTransaction } from '../../jobs/index.ts';
import { tokensRevoked } from '../accounts/index.ts';
import { appAccessLowered, appTransferred } from '../apps/index.ts';
import { endAppRules, endRulesMadeBy, endUnentitledRules } from './ci/ci-rules.ts';
import { revokeAppTokens, revokeTokensMadeBy, revokeUnentitledTokens } from './revocation.ts';

export const tokenListeners = [
  onInTransaction(tokensRevoked, async (ctx, { userId, includesAppTokens }) => {
    await revokeTokensMadeBy(ctx, userId, { includesAppTokens });
    if (includesAppTokens) await endRulesMadeBy(ctx, userId);
  }),
  onInTransaction(appAccessLowered, async (ctx, lowered) => {
    await revokeUnentitledTokens(ctx, lowered);
    await endUnentitledRules(ctx, lowered);
  }),
  // Tokens and CI rules of the previous owner must not act for the app.
  onInTransaction(appTransferred, async (ctx, { appId }) => {
    await revokeAppTokens(ctx, appId);
    await endAppRules(ctx, appId);
  }),
];
