import { Paper } from '@mantine/core';
import { organizations_createOrUpdate } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateOrg } from '../../api/orgs.ts';
import { fieldsOf, needed } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { UrlPreview } from '../../parts/url-preview.tsx';

const rules = fieldsOf(organizations_createOrUpdate);

import { Page } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';

export default function CreateOrgPage() {
  const creation = useCreateOrg();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  return (
    <Page title="New organization" lead="You become its admin, and can invite others.">
      <Paper withBorder p="lg" maw={720}>
        <Form
          action="Create"
          sending={creation}
          conflict="name"
          onCancel={() => navigate(-1)}
          onSend={(fields) =>
            creation.mutate(
              { display_name: fields.text('display_name'), name: fields.text('name') },
              { onSuccess: ({ name }) => navigate(pathTo('org', { org: name })) },
            )
          }
        >
          <TextField
            name="display_name"
            label="Display name"
            rule={needed(rules('display_name'))}
            onChange={({ currentTarget }) => setDisplayName(currentTarget.value)}
            autoComplete="off"
            autoFocus
          />
          <NameField
            name="name"
            label="Name"
            rule={rules('name')}
            description="Letters, digits, “-”, “_” and “.”; made from the display name if left empty."
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <UrlPreview before={pathTo('org', { org: '' })} name={name} displayName={displayName} />
        </Form>
      </Paper>
    </Page>
  );
}
