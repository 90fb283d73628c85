import { defineDomain } from '../../domain.ts';
import { confirmationChecks } from '../../extensions/confirmation-checks.ts';
import { passwordRules } from '../../extensions/password-rules.ts';
import { requireConfirmation } from './confirmations/confirmations.ts';
import { factorRuleRoutes } from './factor-rules/factor-rules.routes.ts';
import { groupMappingRoutes } from './groups/group-mappings.routes.ts';
import { oidcRoutes } from './oidc/oidc.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { providerRoutes } from './providers/providers.routes.ts';
import { checkConfiguredProvider } from './providers/providers.ts';
import { ruleRoutes } from './rules/rules.routes.ts';
import { refusePassword } from './rules/rules.ts';
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import { requireSecondFactor } from './second-factor/second-factor.ts';
import { signInSettings } from './sign-in.settings.ts';
import { signInTables } from './sign-in.tables.ts';

export const signIn = defineDomain({
  settings: signInSettings,
  tables: signInTables,
  routes: (deps) => [
    ...providerRoutes,
    ...groupMappingRoutes,
    ...ruleRoutes,
    ...secondFactorRoutes,
    ...passkeyRoutes,
    ...factorRuleRoutes,
    ...oidcRoutes(deps),
  ],
  extensions: [passwordRules.add(refusePassword, requireSecondFactor), confirmationChecks.add(requireConfirmation)],
  start: async (ctx) => {
    checkConfiguredProvider(ctx);
    return {};
  },
});
