import { Checkbox } from '@mantine/core';
import { adminIdentityProviders_create } from '@mooring/contract';
import { type IdentityProvider, type NewProvider, useSaveProvider } from '../../api/account/sign-in.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, PasswordField, TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';

const rules = getBodyRules(adminIdentityProviders_create);

const readList = (fields: Fields, name: string): string[] => fields.text(name)?.split(/[\s,]+/) ?? [];

/** An empty secret keeps the current one. */
function readProvider(fields: Fields): NewProvider {
  const secret = fields.secret('client_secret');
  return {
    name: fields.text('name') ?? '',
    display_name: fields.text('display_name') ?? '',
    issuer: fields.text('issuer') ?? '',
    client_id: fields.text('client_id') ?? '',
    ...(secret === '' ? {} : { client_secret: secret }),
    scopes: readList(fields, 'scopes'),
    allowed_domains: readList(fields, 'allowed_domains'),
    creates_accounts: fields.isOn('creates_accounts'),
    trusts_email: fields.isOn('trusts_email'),
    groups_claim: fields.text('groups_claim') || 'groups',
    signs_out: fields.isOn('signs_out'),
    is_enabled: fields.isOn('is_enabled'),
  };
}

/** The provider to edit; undefined for a new one. */
export function ProviderForm({ provider, onClose }: { provider: IdentityProvider | undefined; onClose: () => void }) {
  const saving = useSaveProvider(provider);
  return (
    <Form
      action={provider ? 'Save' : 'Add identity provider'}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate(readProvider(fields), { onSuccess: onClose })}
    >
      {!provider && (
        <NameField
          name="name"
          label="Name in addresses"
          rule={rules('name')}
          description="The redirect URI to register at the provider ends with /auth/oidc/<name>/callback."
          placeholder="corp"
          autoComplete="off"
          data-autofocus
        />
      )}
      <TextField
        name="display_name"
        label="Name"
        rule={rules('display_name')}
        description="Shown on the sign-in page."
        defaultValue={provider?.display_name}
      />
      <TextField
        name="issuer"
        label="Issuer"
        rule={rules('issuer')}
        description="Exactly as in the discovery document of the provider."
        defaultValue={provider?.issuer}
        placeholder="https://login.example.com/realm"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        name="client_id"
        label="Client ID"
        rule={rules('client_id')}
        defaultValue={provider?.client_id}
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        name="client_secret"
        label="Client secret"
        rule={rules('client_secret')}
        description={provider?.has_client_secret ? 'Leave empty to keep the current one.' : undefined}
        autoComplete="off"
      />
      <TextField
        name="scopes"
        label="Scopes"
        rule={{ isRequired: false }}
        defaultValue={(provider?.scopes ?? ['profile', 'email']).join(' ')}
        autoCapitalize="none"
        spellCheck={false}
      />
      <LongTextField
        name="allowed_domains"
        label="Allowed email domains"
        rule={{ isRequired: false }}
        description="One per line. Leave empty to allow any domain."
        defaultValue={provider?.allowed_domains.join('\n')}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        name="creates_accounts"
        label="Create accounts"
        description="People without an account get one when they first sign in."
        defaultChecked={provider?.creates_accounts}
      />
      <Checkbox
        name="trusts_email"
        label="Trust email addresses without email_verified"
        description="Only for providers where people cannot change their address."
        defaultChecked={provider?.trusts_email}
      />
      <TextField
        name="groups_claim"
        label="Groups claim"
        rule={{ isRequired: false }}
        description="The claim with the groups of a person."
        defaultValue={provider?.groups_claim ?? 'groups'}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        name="signs_out"
        label="Sign out at the provider"
        description="Signing out here also signs out there. Register this server's sign-in page as post-logout redirect URI."
        defaultChecked={provider?.signs_out}
      />
      <Checkbox name="is_enabled" label="Enabled" defaultChecked={provider?.is_enabled ?? true} />
    </Form>
  );
}
