import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Subscription, useSaveSubscription } from '../../api/subscriptions.ts';
import { Form } from '../../parts/form.tsx';
import { newGuid } from './new-guid.ts';

const guid = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const looks = 'Such as 5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11.';
const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

interface SubscriptionFormProps {
  action: string;
  /** The one that is changed; otherwise a new one is made. */
  subscription?: Subscription;
  onSaved: (subscription: Subscription) => void;
  onClose: () => void;
}

export function SubscriptionForm({ action, subscription, onSaved, onClose }: SubscriptionFormProps) {
  const saving = useSaveSubscription();
  const [suggested] = useState(newGuid);
  return (
    <Form
      action={action}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) =>
        saving.mutate(
          {
            id: subscription?.subscriptionId ?? fields.text('id') ?? suggested,
            facts: {
              displayName: fields.text('displayName') ?? '',
              owner: fields.text('owner') ?? '',
              tenantId: fields.text('tenantId') ?? '',
            },
          },
          { onSuccess: onSaved },
        )
      }
    >
      <TextInput
        name="displayName"
        label="Name"
        defaultValue={subscription?.displayName}
        required
        maxLength={128}
        data-autofocus
        autoComplete="off"
      />
      <TextInput
        name="owner"
        label="Owner"
        description="Name of a user or an organization, all of whose members then read it."
        defaultValue={subscription?.owner}
        required
        maxLength={100}
        {...plain}
      />
      <TextInput
        name="tenantId"
        label="Tenant"
        description="An id that several subscriptions may share; events can name it."
        defaultValue={subscription?.tenantId ?? suggested}
        required
        pattern={guid}
        title={looks}
        {...plain}
      />
      {!subscription && (
        <TextInput
          name="id"
          label="Id"
          description="Made up, unless it has one elsewhere. It cannot be changed later."
          defaultValue={suggested}
          required
          pattern={guid}
          title={looks}
          {...plain}
        />
      )}
    </Form>
  );
}
