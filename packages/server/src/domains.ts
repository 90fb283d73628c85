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
import { exports } from './domains/exports/index.ts';
import { groups } from './domains/groups/index.ts';
import { health } from './domains/health/index.ts';
import { identity } from './domains/identity/index.ts';
import { ingest } from './domains/ingest/index.ts';
import { invitations } from './domains/invitations/index.ts';
import { mail } from './domains/mail/index.ts';
import { notifications } from './domains/notifications/index.ts';
import { releases } from './domains/releases/index.ts';
import { runners } from './domains/runners/index.ts';
import { search } from './domains/search/index.ts';
import { subscriptions } from './domains/subscriptions/index.ts';
import { symbols } from './domains/symbols/index.ts';
import { tests } from './domains/tests/index.ts';
import { tokens } from './domains/tokens/index.ts';
import { trackers } from './domains/trackers/index.ts';
import { usage } from './domains/usage/index.ts';
import { webhooks } from './domains/webhooks/index.ts';

/** Lowest first: each may lean on those before it. */
const foundations: readonly Domain[] = [
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
  invitations,
  webhooks,
  usage,
  ingest,
  symbols,
  runners,
  search,
  dataRequests,
];

/** Each leans on the foundations, and never on another of these. */
const products: readonly Domain[] = [
  health,
  analytics,
  codepush,
  crashes,
  releases,
  exports,
  notifications,
  alerts,
  builds,
  trackers,
  tests,
];

/** The import law is made from these lists. */
export const domains = [...foundations, ...products];
