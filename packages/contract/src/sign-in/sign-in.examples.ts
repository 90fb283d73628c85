import { usersExamples } from '../accounts/users.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const user_id = '0198c7a2-6b00-7d52-8c1d-91d0a3f5c6e8';

export const exampleProvider = {
  name: 'example',
  display_name: 'Example Corp',
  issuer: 'https://login.example.com',
  client_id: 'mooring',
  scopes: ['profile', 'email'],
  allowed_domains: ['corp.example.com'],
  creates_accounts: true,
  trusts_email: false,
  groups_claim: 'groups',
  signs_out: false,
  is_enabled: true,
  has_client_secret: true,
  redirect_uri: 'https://mooring.example.com/auth/oidc/example/callback',
  is_from_settings: false,
  created_at: '2026-11-01T09:00:00.000Z',
};
const provider = exampleProvider;
const provider_name = provider.name;

export const identityProvidersExamples = {
  adminIdentityProviders_list: { response: [provider] },
  adminIdentityProviders_create: {
    body: {
      name: 'partner',
      display_name: 'Partner',
      issuer: 'https://login.partner.example.com',
      client_id: 'mooring',
      client_secret: 'a-secret-of-the-provider',
      allowed_domains: ['partner.example.com'],
      creates_accounts: true,
    },
    response: {
      ...provider,
      name: 'partner',
      display_name: 'Partner',
      issuer: 'https://login.partner.example.com',
      allowed_domains: ['partner.example.com'],
      redirect_uri: 'https://mooring.example.com/auth/oidc/partner/callback',
    },
  },
  adminIdentityProviders_update: {
    params: { provider_name },
    body: { display_name: 'Example Corp', is_enabled: true },
    response: provider,
  },
  adminIdentityProviders_delete: { params: { provider_name: 'former' } },
} satisfies EndpointExamples<typeof import('./identity-providers.contract.ts')>;

const mapping_id = '0198c7b4-1a00-7c1e-9a53-2f4be3a0b2d7';
const mapping = {
  group: 'mobile-developers',
  organization: 'lighthouse',
  role: 'member' as const,
  created_at: '2026-11-01T09:00:00.000Z',
};

export const groupMappingsExamples = {
  adminGroupMappings_list: { params: { provider_name }, response: [{ id: mapping_id, ...mapping }] },
  adminGroupMappings_create: {
    params: { provider_name },
    body: { group: 'mobile-developers', organization: 'lighthouse', role: 'member' },
    response: { id: mapping_id, ...mapping },
  },
  adminGroupMappings_delete: { params: { provider_name, mapping_id } },
} satisfies EndpointExamples<typeof import('./group-mappings.contract.ts')>;

const link = { issuer: provider.issuer, subject: '248289761001', linked_at: '2026-11-01T09:00:00.000Z' };

export const signInExamples = {
  signInProviders_list: {
    response: [{ name: provider.name, display_name: provider.display_name, url: '/auth/oidc/example' }],
  },
  oidc_start: { params: { provider: provider.name }, query: { next: '/orgs' } },
  oidc_callback: { params: { provider: provider.name }, query: { code: 'c0de', state: 'af0ifjsldkj' } },
  oidc_backChannelLogout: { params: { provider: provider.name }, body: { logout_token: 'eyJhbGciOi…' } },
  signOut_create: { body: {}, response: {} },
  signInLinks_get: {
    response: { provider: provider.name, display_name: provider.display_name, email: 'ada@corp.example.com' },
  },
  signInLinks_create: {
    body: { login: 'ada', password: 'correct horse battery' },
    response: { user: usersExamples.users_get.response, next: '/' },
  },
  adminSignInLinks_list: { params: { user_id }, response: [link] as [typeof link] },
  adminSignInLinks_create: {
    params: { user_id: usersExamples.users_get.response.id },
    body: { provider: provider.name, subject: '248289761002' },
    response: { ...link, subject: '248289761002' },
  },
  adminSignInLinks_delete: { params: { user_id } },
} satisfies EndpointExamples<typeof import('./sign-in.contract.ts')>;

const org = { org_name: 'lighthouse' };
const rule = { provider: provider.name };
const effects = {
  values: [{ name: 'ada', display_name: 'Ada Lovelace', email: 'ada@example.com', effect: 'administrator' as const }],
};

export const signInRulesExamples = {
  adminSignInRule_get: { response: rule },
  adminSignInRule_set: { body: rule, response: rule },
  adminSignInRule_delete: {},
  adminSignInRule_preview: { query: rule, response: effects },
  orgSignInRule_get: { params: org, response: rule },
  orgSignInRule_set: { params: org, body: rule, response: rule },
  orgSignInRule_delete: { params: org },
  orgSignInRule_preview: { params: org, query: rule, response: effects },
} satisfies EndpointExamples<typeof import('./sign-in-rules.contract.ts')>;

const code = '287082';
const proof = { password: 'correct horse battery', code };
const recovery_codes = ['J5XW-4ZLS-PEQG-233S', 'NFSW-45DI-MVZG-KIDT'];

export const secondFactorExamples = {
  secondFactor_get: {
    response: {
      is_enabled: true,
      enabled_at: '2026-11-01T09:00:00.000Z',
      recovery_codes_left: 10,
      required_from: '2026-11-15T09:00:00.000Z',
    },
  },
  secondFactor_start: {
    body: { password: proof.password },
    response: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      url: 'otpauth://totp/Mooring%20mooring.example.com:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Mooring%20mooring.example.com',
    },
  },
  secondFactor_confirm: { body: { code }, response: { recovery_codes } },
  secondFactor_renewCodes: { body: proof, response: { recovery_codes } },
  secondFactor_disable: { body: proof },
  adminSecondFactor_delete: { params: { user_id } },
} satisfies EndpointExamples<typeof import('./second-factor.contract.ts')>;

export const confirmationsExamples = {
  confirmations_create: { body: { password: 'correct horse battery' } },
} satisfies EndpointExamples<typeof import('./confirmations.contract.ts')>;

const challenge = 'vJ3kqcS0y1mC2l9xwQd0b1TqO8ZqT1o4l3N5c7dP2fE';
const passkey_id = 'mD3p0Qm1oA2cWcP5eL8sXw';
const passkey = { id: passkey_id, name: 'Phone', is_synced: true, created_at: '2026-11-01T09:00:00.000Z' };
const credential = { id: passkey_id, rawId: passkey_id, type: 'public-key', clientExtensionResults: {} };
const created = {
  ...credential,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
};
const used = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'GPTTEiOGQ3gjfgO-E_I_LXLtO_eHB1u58htyHc21D20FAAAAAg',
    signature: 'MEUCIQCX2tVY',
    userHandle: 'q3kUe1f0aZ0dT5n2bS8mHw',
  },
};

export const passkeysExamples = {
  passkeys_list: { response: [passkey] },
  passkeys_start: {
    body: {},
    response: { options: { challenge, rp: { id: 'mooring.example.com', name: 'Mooring' } } },
  },
  passkeys_create: { body: { name: 'Phone', credential: created }, response: passkey },
  passkeys_update: { params: { passkey_id }, body: { name: 'Phone' }, response: passkey },
  passkeys_delete: { params: { passkey_id } },
  passkeySignIn_start: { body: {}, response: { options: { challenge, rpId: 'mooring.example.com' } } },
  passkeySignIn_complete: { body: { credential: used }, response: usersExamples.users_get.response },
} satisfies EndpointExamples<typeof import('./passkeys.contract.ts')>;

const factorRule = { required_from: '2026-11-15T09:00:00.000Z' };
const factorEffects = {
  values: [{ name: 'ada', display_name: 'Ada Lovelace', email: 'ada@example.com', effect: 'set_up' as const }],
};
const account = { login: 'linus', password: 'correct horse battery' };

export const factorRulesExamples = {
  adminFactorRule_get: { response: factorRule },
  adminFactorRule_set: { body: { grace_days: 14 }, response: factorRule },
  adminFactorRule_delete: {},
  adminFactorRule_preview: { query: { search: 'ada' }, response: factorEffects },
  orgFactorRule_get: { params: org, response: factorRule },
  orgFactorRule_set: { params: org, body: { grace_days: 14 }, response: factorRule },
  orgFactorRule_delete: { params: org },
  orgFactorRule_preview: { params: org, query: { search: 'ada' }, response: factorEffects },
  factorSetUp_start: { body: account, response: secondFactorExamples.secondFactor_start.response },
  factorSetUp_confirm: { body: { ...account, code }, response: { recovery_codes } },
} satisfies EndpointExamples<typeof import('./factor-rules.contract.ts')>;
