import { defineDomain } from '../../domain.ts';
import { passwordRules } from '../../extensions/password-rules.ts';
import { oidcRoutes } from './oidc/oidc.routes.ts';
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
  routes: (deps) => [...providerRoutes, ...ruleRoutes, ...secondFactorRoutes, ...oidcRoutes(deps)],
  extensions: [passwordRules.add(refusePassword, requireSecondFactor)],
  start: async (ctx) => {
    checkConfiguredProvider(ctx);
    return {};
  },
});
