import { HealthWebhooks_Create } from '@mooring/contract';
import { useState } from 'react';
import { useCreateWebhook } from '../../api/webhooks.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { FilterInput } from '../health/filters/filter-input.tsx';

/** URL of the receiver. */
export const UrlInput = ({ value }: { value?: string }) => (
  <TextField
    name="url"
    label="URL"
    rule={getBodyRules(HealthWebhooks_Create)('url')}
    description="Receives messages as POST requests. Must use https."
    placeholder="https://hooks.example.com/health"
    type="url"
    defaultValue={value}
    autoComplete="off"
    data-autofocus
  />
);

export const secretWarning =
  "Copy the secret now. Your service needs it to verify signatures. You can't see it again after closing this dialog.";

export function NewWebhook({ subscriptionId, onClose }: { subscriptionId: string; onClose: () => void }) {
  const creation = useCreateWebhook(subscriptionId);
  const [filter, setFilter] = useState('');
  // The secret exists only in this dialog's state.
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretValue secrets={[['Secret', secret]]} warning={secretWarning} onClose={onClose} />;
  return (
    <Form
      action="Create webhook"
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
