import type { Generated } from 'kysely';

/** The tables as the migrations leave them. Times are epoch ms, flags 0 or 1, JSON is text. */
type Flag = 0 | 1;

/** Whoever can own apps: users now, organizations beside them, in one namespace. */
export interface OwnersTable {
  id: string;
  kind: 'user' | 'org';
  name: string;
  /** The name in lower case: unique, so that names differ by more than case. */
  name_key: string;
  display_name: string;
  avatar_url: string | null;
  created_at: number;
  updated_at: number;
}

/** Names that an owner had before: addresses with them still answer reads. */
export interface FormerNamesTable {
  name_key: string;
  owner_id: string;
}

export interface OrgMembersTable {
  org_id: string;
  user_id: string;
  role: 'admin' | 'collaborator' | 'member';
  joined_at: number;
}

export interface UsersTable {
  id: string;
  email: string;
  email_key: string;
  password_hash: string;
  is_admin: Flag;
  is_disabled: Flag;
  /** Set for a service account: the organization that it belongs to. */
  service_org_id: string | null;
}

export interface SessionsTable {
  hash: string;
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string;
  user_agent: string | null;
}

export interface SignInFailuresTable {
  subject: string;
  failures: number;
  last_at: number;
}

/** Links that set a new password; using one deletes all of its user. */
export interface PasswordResetsTable {
  id: string;
  token_hash: string;
  user_id: string;
  expires_at: number;
}

export interface AppsTable {
  id: string;
  owner_id: string;
  name: string;
  name_key: string;
  display_name: string;
  description: string | null;
  os: string;
  platform: string;
  release_type: string | null;
  icon_url: string | null;
  /** The key that SDKs send. */
  app_secret: string;
  created_at: number;
  updated_at: number;
}

/** Members of an organization who share permissions on apps. */
export interface TeamsTable {
  id: string;
  org_id: string;
  name: string;
  name_key: string;
  display_name: string;
  description: string | null;
  created_at: number;
}

export interface TeamMembersTable {
  team_id: string;
  user_id: string;
}

export interface TeamAppsTable {
  team_id: string;
  app_id: string;
  permission: 'manager' | 'developer' | 'viewer';
}

/** Testers of one app, or of several apps of an organization. */
export interface DistributionGroupsTable {
  id: string;
  /** One of these two: the app whose own it is, or the organization that shares it among its apps. */
  app_id: string | null;
  org_id: string | null;
  name: string;
  name_key: string;
  display_name: string | null;
  is_public: Flag;
  created_at: number;
}

/** Every app whose testers the members are: for a group of one app that app. */
export interface DistributionGroupAppsTable {
  group_id: string;
  app_id: string;
  /** The group's, kept here so that no two groups of an app have the same. */
  name_key: string;
}

export interface DistributionGroupMembersTable {
  group_id: string;
  user_id: string;
}

/** Who was asked to join a group and has not accepted yet. */
export interface DistributionGroupInvitationsTable {
  group_id: string;
  email: string;
  email_key: string;
  token_hash: string;
  expires_at: number;
}

export interface AppMembersTable {
  app_id: string;
  user_id: string;
  permission: 'manager' | 'developer' | 'viewer' | 'tester';
}

export interface ApiTokensTable {
  hash: string;
  id: string;
  /** Null: a user token, which acts for `created_by`. */
  app_id: string | null;
  created_by: string;
  description: string | null;
  scope: 'all' | 'viewer';
  last_four: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

export interface AuditEventsTable {
  id: string;
  at: number;
  action: string;
  actor_kind: 'user' | 'app' | 'anonymous' | 'system';
  actor_user_id: string | null;
  actor_name: string | null;
  actor_token_id: string | null;
  actor_credential: 'token' | 'session' | 'oauth' | 'password' | null;
  /** Of the client that acted for them by OAuth. */
  actor_client_id: string | null;
  subject_kind: string;
  subject_id: string;
  subject_name: string | null;
  /** The organization and the app that the change belongs to, so that their admins and managers can read it. */
  org_id: string | null;
  app_id: string | null;
  address: string | null;
  request_id: string | null;
  before: string | null;
  after: string | null;
}

/** Work to be done after the transaction that asked for it. A finished job is deleted. */
export interface JobsTable {
  id: string;
  name: string;
  /** JSON. */
  payload: string;
  attempts: number;
  /** From when on anybody may take it: while it runs, the end of its lease. Null: given up, a dead letter. */
  due_at: number | null;
  /** Who runs it. */
  lease: string | null;
  last_error: string | null;
  failed_at: number | null;
  created_at: number;
}

/** Every mail that was written, sent or not. */
export interface MailsTable {
  id: string;
  to: string;
  subject: string;
  text: string;
  created_at: number;
  sent_at: number | null;
  error: string | null;
}

/** Open invitations: whoever answers one, or takes it back, deletes it. */
export interface InvitationsTable {
  id: string;
  token_hash: string;
  kind: 'org' | 'app';
  /** One of these two, as `kind` says. */
  org_id: string | null;
  app_id: string | null;
  email: string;
  email_key: string;
  /** A role in the organization, or a permission on the app. */
  role: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
}

/** The keys that sign access tokens. */
export interface SigningKeysTable {
  kid: string;
  /** JSON Web Keys: the public one as it is published, the private one sealed. */
  public_jwk: string;
  sealed_jwk: string;
  created_at: number;
  /** Null while it signs; then until its last token has expired. */
  published_until: number | null;
}

/** Programs that people sign in to. Those that come with the server are not here. */
export interface OauthClientsTable {
  id: string;
  name: string;
  /** JSON. */
  redirect_uris: string;
  allows_implicit: Flag;
  created_at: number;
}

/** That a person lets a client act for them. */
export interface OauthConsentsTable {
  user_id: string;
  client_id: string;
  /** The origin that it counts for, where anybody could listen: a port of the person's own machine. Else empty. */
  place: string;
  granted_at: number;
}

export interface OauthCodesTable {
  hash: string;
  client_id: string;
  user_id: string;
  session_id: string;
  redirect_uri: string;
  audience: string;
  challenge: string;
  expires_at: number;
  used_at: number | null;
}

/** Who somebody is to the trusted identity provider. */
export interface OidcSubjectsTable {
  issuer: string;
  subject: string;
  user_id: string;
  linked_at: number;
}

/** Small values that every process must agree on; see `key-values.ts`. */
export interface KeyValuesTable {
  name: string;
  value: string;
}

/** A number for each thing that processes remember; it grows when that is no longer true. See `versions.ts`. */
export interface VersionsTable {
  name: 'grants' | 'responses';
  value: number;
}

/** Who reads which health events: whoever belongs to the owner, and whoever was given read access. */
export interface SubscriptionsTable {
  id: string;
  tenant_id: string;
  display_name: string;
  owner_id: string;
  created_at: number;
  updated_at: number;
}

export interface SubscriptionReadersTable {
  subscription_id: string;
  user_id: string;
  created_at: number;
}

export interface AppSubscriptionsTable {
  app_id: string;
  subscription_id: string;
  linked_at: number;
}

/** People whom administrators let publish health events. */
export interface HealthOperatorsTable {
  user_id: string;
  created_at: number;
}

/** One row: a number that grows with every change of health events, so that remembered pages are known to be old. */
export interface HealthVersionTable {
  id: number;
  version: number;
  changed_at: number;
}

/** A health event: what filters ask for, and at the end what is sent. */
export interface HealthEventsTable {
  seq: Generated<number>;
  /** The tracking id, and its lower case, which is unique. */
  name: string;
  name_key: string;
  /** How often it was written. */
  revision: number;
  /** Minus lastUpdateTime, so that newest first is the order of an index in which names ascend. */
  sort_at: number;
  event_type: string;
  event_source: string;
  status: string;
  event_level: string;
  level: string;
  is_hir: Flag;
  priority: number;
  impact_start_at: number;
  /** A line each, for services (`s:`) and regions (`r:`) in lower case; see `facets.ts`. */
  facets: string;
  /** A line each: subscriptions and tenants that it names, and an empty one if it is for everyone. */
  audiences: string;
  /** The JSON that is sent, with marks where it differs from reader to reader; see `rendering.ts`. */
  body: string;
}

/** Where a listing finds the events of an audience that have a facet, in order. */
export interface HealthIndexTable {
  audience: string;
  facet: string;
  sort_at: number;
  name: string;
  seq: number;
}

/** How many requests all processes have let through for a credential or address, in the minute that began at `window`. */
export interface RateCountsTable {
  key: string;
  window: number;
  used: number;
}

/** A change of a health event that webhooks wait for, kept as long as their log of deliveries. */
export interface HealthChangesTable {
  id: string;
  /** The version of the events that it led to: later changes have a higher one. */
  version: number;
  kind: 'published' | 'updated' | 'resolved' | 'withdrawn' | 'test';
  name: string;
  at: number;
  /** As in `health_events`: whom it is for, and of those, whom not. */
  audiences: string;
  except: string;
  /** The event after the change, or before it if it was withdrawn. */
  body: string;
}

export interface WebhooksTable {
  id: string;
  subscription_id: string;
  created_by: string;
  /** By which OAuth client its maker made it, if by one: it ends with what they allowed that client. */
  oauth_client_id: string | null;
  url: string;
  /** Empty: every event. */
  filter: string;
  /** Both sealed; the old one counts until then. */
  secret: string;
  old_secret: string | null;
  old_secret_until: number;
  is_enabled: Flag;
  /** Set when the server disabled it. */
  disabled_reason: 'Failing' | 'Gone' | 'AccessLost' | null;
  /** The first failure since the last success. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveriesTable {
  id: string;
  webhook_id: string;
  change_id: string;
  /** 0, or which repetition it is: a change goes to a webhook once by itself. */
  replay: number;
  /** The same for all repetitions. */
  message_id: string;
  state: 'Waiting' | 'Delivered' | 'Failed' | 'Cancelled';
  attempts: number;
  created_at: number;
  settled_at: number | null;
}

export interface WebhookAttemptsTable {
  delivery_id: string;
  number: number;
  at: number;
  ms: number;
  /** Of the answer, or why there was none. */
  status: number | null;
  error: string | null;
  /** The beginning of an answer that was no success. */
  answer: string | null;
}

/** What is read without signing in, by an address that holds a secret. */
export interface FeedsTable {
  id: string;
  secret_hash: string;
  subscription_id: string;
  created_by: string;
  /** By which OAuth client its maker made it, if by one: it ends with what they allowed that client. */
  oauth_client_id: string | null;
  filter: string;
  created_at: number;
}

/** What `apps` asks of the domains above it: who tests an app by being in one of its groups. */
export interface AppTestersView {
  app_id: string;
  user_id: string;
}

/** And the subscriptions that an app is linked to. */
export interface AppLinkedSubscriptionsView {
  app_id: string;
  id: string;
  tenant_id: string;
  display_name: string;
  linked_at: number;
}

export interface Tables {
  owners: OwnersTable;
  former_names: FormerNamesTable;
  org_members: OrgMembersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_apps: TeamAppsTable;
  users: UsersTable;
  sessions: SessionsTable;
  sign_in_failures: SignInFailuresTable;
  password_resets: PasswordResetsTable;
  apps: AppsTable;
  app_members: AppMembersTable;
  distribution_groups: DistributionGroupsTable;
  distribution_group_apps: DistributionGroupAppsTable;
  distribution_group_members: DistributionGroupMembersTable;
  distribution_group_invitations: DistributionGroupInvitationsTable;
  api_tokens: ApiTokensTable;
  audit_events: AuditEventsTable;
  jobs: JobsTable;
  mails: MailsTable;
  invitations: InvitationsTable;
  signing_keys: SigningKeysTable;
  oauth_clients: OauthClientsTable;
  oauth_consents: OauthConsentsTable;
  oauth_codes: OauthCodesTable;
  oidc_subjects: OidcSubjectsTable;
  rate_counts: RateCountsTable;
  key_values: KeyValuesTable;
  app_testers: AppTestersView;
  app_linked_subscriptions: AppLinkedSubscriptionsView;
  versions: VersionsTable;
  subscriptions: SubscriptionsTable;
  subscription_readers: SubscriptionReadersTable;
  app_subscriptions: AppSubscriptionsTable;
  health_operators: HealthOperatorsTable;
  health_version: HealthVersionTable;
  health_events: HealthEventsTable;
  health_index: HealthIndexTable;
  health_changes: HealthChangesTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  feeds: FeedsTable;
}

/** Whether a backup copies a table, each after those that it refers to; one that is forgotten here does not compile. */
const isCopied: Record<Exclude<keyof Tables, `app_${'testers' | 'linked_subscriptions'}`>, boolean> = {
  owners: true,
  former_names: true,
  users: true,
  org_members: true,
  sessions: true,
  sign_in_failures: true,
  password_resets: true,
  apps: true,
  app_members: true,
  teams: true,
  team_members: true,
  team_apps: true,
  distribution_groups: true,
  distribution_group_apps: true,
  distribution_group_members: true,
  distribution_group_invitations: true,
  api_tokens: true,
  invitations: true,
  audit_events: true,
  jobs: true,
  mails: true,
  signing_keys: true,
  oauth_clients: true,
  oauth_consents: true,
  oauth_codes: true,
  oidc_subjects: true,
  subscriptions: true,
  subscription_readers: true,
  app_subscriptions: true,
  health_operators: true,
  health_events: true,
  health_index: true,
  health_changes: true,
  webhooks: true,
  webhook_deliveries: true,
  webhook_attempts: true,
  feeds: true,
  health_version: true,
  key_values: true,
  // Counts of the running minute.
  rate_counts: false,
  // A database goes on with its own: they tell those who use it now.
  versions: false,
};

const tableNames = Object.keys(isCopied) as (keyof typeof isCopied)[];
export const copiedTables = tableNames.filter((name) => isCopied[name]);

/** The last two are the migrations' book-keeping, which a restore writes by itself. */
export const leftOutTables: readonly string[] = [
  ...tableNames.filter((name) => !isCopied[name]),
  'migrations',
  'migrations_lock',
];

/** Tables of one row that the migrations make: a number that processes compare to know whether what they remember still holds. */
export const counters = { health_version: 'version' } as const;
