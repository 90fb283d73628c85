import type { Domain } from './domain.ts';
import { accounts } from './domains/accounts/index.ts';
import { administration } from './domains/administration/index.ts';
import { alerts } from './domains/alerts/index.ts';
import { analytics } from './domains/analytics/index.ts';
import { apps } from './domains/apps/index.ts';
import { audit } from './domains/audit/index.ts';
import { avatars } from './domains/avatars/index.ts';
import { builds } from './domains/builds/index.ts';
import { codepush } from './domains/codepush/index.ts';
import { crashes } from './domains/crashes/index.ts';
import { dataRequests } from './domains/data-requests/index.ts';
import { deviceTests } from './domains/device-tests/index.ts';
import { exports } from './domains/exports/index.ts';
import { feedback } from './domains/feedback/index.ts';
import { groups } from './domains/groups/index.ts';
import { health } from './domains/health/index.ts';
import { identity } from './domains/identity/index.ts';
import { ingest } from './domains/ingest/index.ts';
import { invitations } from './domains/invitations/index.ts';
import { mail } from './domains/mail/index.ts';
import { notifications } from './domains/notifications/index.ts';
import { packages } from './domains/packages/index.ts';
import { provisioning } from './domains/provisioning/index.ts';
import { releases } from './domains/releases/index.ts';
import { runners } from './domains/runners/index.ts';
import { sdkKeys } from './domains/sdk-keys/index.ts';
import { search } from './domains/search/index.ts';
import { signIn } from './domains/sign-in/index.ts';
import { subscriptions } from './domains/subscriptions/index.ts';
import { symbols } from './domains/symbols/index.ts';
import { tokens } from './domains/tokens/index.ts';
import { trackers } from './domains/trackers/index.ts';
import { usage } from './domains/usage/index.ts';
import { webhooks } from './domains/webhooks/index.ts';

/** Lowest first: each may import those before it. */
const foundations = [
  audit,
  avatars,
  mail,
  administration,
  accounts,
  apps,
  tokens,
  identity,
  subscriptions,
  groups,
  signIn,
  provisioning,
  invitations,
  webhooks,
  usage,
  sdkKeys,
  ingest,
  symbols,
  packages,
  runners,
  search,
  dataRequests,
] as const satisfies readonly Domain[];

/** Store the data that devices send. Each may import foundations and the data domains before it. */
const data = [analytics, crashes, feedback] as const satisfies readonly Domain[];

/** Each may import foundations and data domains, but no other product. */
const products = [
  health,
  codepush,
  releases,
  exports,
  notifications,
  alerts,
  builds,
  trackers,
  deviceTests,
] as const satisfies readonly Domain[];

/** The dependency rules are derived from these lists. */
export const domains = [...foundations, ...data, ...products] as const;
