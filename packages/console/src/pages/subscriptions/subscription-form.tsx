import { Subscriptions_Save } from '@mooring/contract';
import { useState } from 'react';
import { type Subscription, useSaveSubscription } from '../../api/subscriptions.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { newGuid } from '../../parts/new-guid.ts';

const rules = fieldsOf(Subscriptions_Save);

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
        description="Name of a user or an organization, all of whose members then read it."
        defaultValue={subscription?.owner}
      />
      <NameField
        name="tenantId"
        label="Tenant"
        rule={rules('tenantId')}
        description="An id that several subscriptions may share; events can name it."
        defaultValue={subscription?.tenantId ?? suggested}
      />
      {!subscription && (
        <NameField
          name="id"
          label="Id"
          rule={rules('tenantId')}
          description="Made up, unless it has one elsewhere. It cannot be changed later."
          defaultValue={suggested}
        />
      )}
    </Form>
  );
}
