import { HealthWebhooks_Create } from '@mooring/contract';
import { useState } from 'react';
import { useCreateWebhook } from '../../api/webhooks.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { FilterInput } from '../health/filter-input.tsx';

/** Where messages go. */
export const UrlInput = ({ value }: { value?: string }) => (
  <TextField
    name="url"
    label="Address"
    rule={fieldsOf(HealthWebhooks_Create)('url')}
    description="Messages are sent there by POST. It must be reached by https."
    placeholder="https://hooks.example.com/health"
    type="url"
    defaultValue={value}
    autoComplete="off"
    data-autofocus
  />
);

export const secretWarning =
  'Copy the secret now, for the program that checks the signatures: after closing this dialog it cannot be displayed again.';

export function NewWebhook({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
  const creation = useCreateWebhook(subscriptionId);
  const [filter, setFilter] = useState('');
  // Kept here and nowhere else, and goes with the dialog.
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretValue secrets={[['Secret', secret]]} warning={secretWarning} onClose={onClose} />;
  return (
    <Form
      action="Create"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(
          { url: fields.text('url') ?? '', ...(filter ? { filter } : {}) },
          {
            onSuccess: (made) => {
              setSecret(made.secret);
              creation.reset();
            },
          },
        )
      }
    >
      <UrlInput />
      <FilterInput subscription={subscriptionId} value={filter} onChange={setFilter} />
    </Form>
  );
}
