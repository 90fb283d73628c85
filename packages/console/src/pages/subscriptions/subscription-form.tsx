import { Subscriptions_Save } from '@mooring/contract';
import { useState } from 'react';
import { type Subscription, useSaveSubscription } from '../../api/health/subscriptions.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { newGuid } from '../../components/forms/new-guid.ts';

const rules = getBodyRules(Subscriptions_Save);

interface SubscriptionFormProps {
  action: string;
  /** The subscription to edit; undefined for a new one. */
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
            body: {
              displayName: fields.text('displayName') ?? '',
              owner: fields.text('owner') ?? '',
              tenantId: fields.text('tenantId') ?? '',
            },
          },
          { onSuccess: onSaved },
        )
      }
    >
      <TextField
        name="displayName"
        label="Name"
        rule={rules('displayName')}
        defaultValue={subscription?.displayName}
        data-autofocus
        autoComplete="off"
      />
      <NameField
        name="owner"
        label="Owner"
        rule={rules('owner')}
        description="Name of a user or an organization. All members of an organization can read its events."
        defaultValue={subscription?.owner}
      />
      <NameField
        name="tenantId"
        label="Tenant ID"
        rule={rules('tenantId')}
        description="An ID that several subscriptions can share. Events can address a whole tenant."
        defaultValue={subscription?.tenantId ?? suggested}
      />
      {!subscription && (
        <NameField
          name="id"
          label="ID"
          rule={rules('tenantId')}
          description="Enter an existing ID, or keep the generated one. You can't change it later."
          defaultValue={suggested}
        />
      )}
    </Form>
  );
}
