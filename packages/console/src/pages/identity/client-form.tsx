import { Radio, Stack } from '@mantine/core';
import { adminOauthClients_create } from '@mooring/contract';
import { type OauthClient, useSaveClient } from '../../api/oauth-clients.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';

const rules = fieldsOf(adminOauthClients_create);
const [CODE, IMPLICIT] = ['code', 'implicit'];

const readClient = (fields: Fields) => ({
  name: fields.text('name') ?? '',
  redirect_uris: fields.text('redirect_uris')?.split(/\s+/) ?? [],
  allows_implicit: fields.text('flow') === IMPLICIT,
});

/** A new client, or what is known of one. */
export function ClientForm({ client, onClose }: { client: OauthClient | undefined; onClose: () => void }) {
  const saving = useSaveClient(client);
  return (
    <Form
      action={client ? 'Save' : 'Register'}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) => saving.mutate(readClient(fields), { onSuccess: onClose })}
    >
      <TextField
        name="name"
        label="Name"
        rule={rules('name')}
        description="People see it when they are asked whether it may act for them."
        defaultValue={client?.name}
        placeholder="Status board"
        data-autofocus
      />
      <LongTextField
        name="redirect_uris"
        label="Redirect addresses"
        rule={{ isRequired: true }}
        description="A line for each address: https, or http on this machine (localhost), where any port will do."
        defaultValue={client?.redirect_uris.join('\n')}
        placeholder="https://board.example.com/signed-in"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Radio.Group
        name="flow"
        label="Flow"
        description="How the program gets its token. A request for the other flow is refused."
        defaultValue={client && (client.allows_implicit ? IMPLICIT : CODE)}
        withAsterisk
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value={CODE}
            label="Authorization code with PKCE"
            description="For all new programs: in a browser, on a phone, on a desktop."
            required
          />
          <Radio
            value={IMPLICIT}
            label="Implicit flow"
            description="Also allows old programs that take the token out of the address."
            required
          />
        </Stack>
      </Radio.Group>
    </Form>
  );
}
