import { Radio, Stack } from '@mantine/core';
import { adminOauthClients_create } from '@mooring/contract';
import { type OauthClient, useSaveClient } from '../../api/account/oauth-clients.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';

const rules = getBodyRules(adminOauthClients_create);
const [CODE, IMPLICIT] = ['code', 'implicit'];

const readClient = (fields: Fields) => ({
  name: fields.text('name') ?? '',
  redirect_uris: fields.text('redirect_uris')?.split(/\s+/) ?? [],
  allows_implicit: fields.text('flow') === IMPLICIT,
});

/** The client to edit; undefined for a new one. */
export function ClientForm({ client, onClose }: { client: OauthClient | undefined; onClose: () => void }) {
  const saving = useSaveClient(client);
  return (
    <Form
      action={client ? 'Save' : 'Register client'}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate(readClient(fields), { onSuccess: onClose })}
    >
      <TextField
        name="name"
        label="Name"
        rule={rules('name')}
        description="Shown to people when the client asks for access."
        defaultValue={client?.name}
        placeholder="Status board"
        data-autofocus
      />
      <LongTextField
        name="redirect_uris"
        label="Redirect URLs"
        rule={{ isRequired: true }}
        description="One per line. Use https, or http with localhost (any port)."
        defaultValue={client?.redirect_uris.join('\n')}
        placeholder="https://board.example.com/signed-in"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Radio.Group
        name="flow"
        label="Flow"
        description="How the client gets its token. Requests for other flows are rejected."
        defaultValue={client && (client.allows_implicit ? IMPLICIT : CODE)}
        withAsterisk
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value={CODE}
            label="Authorization code with PKCE"
            description="For all new clients: web, mobile and desktop."
            required
          />
          <Radio
            value={IMPLICIT}
            label="Implicit flow"
            description="Also supports older clients that read the token from the URL."
            required
          />
        </Stack>
      </Radio.Group>
    </Form>
  );
}
