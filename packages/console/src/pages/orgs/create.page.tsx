import { Paper } from '@mantine/core';
import { organizations_createOrUpdate } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateOrg } from '../../api/organizations/orgs.ts';
import { getBodyRules, needed } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { UrlPreview } from '../../components/forms/url-preview.tsx';

const rules = getBodyRules(organizations_createOrUpdate);

import { Page } from '../../components/layout/page.tsx';
import { pathTo } from '../../paths.ts';

export default function CreateOrgPage() {
  const creation = useCreateOrg();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  return (
    <Page title="New organization" description="You'll be its admin and can invite others.">
      <Paper withBorder p="lg" maw={720}>
        <Form
          action="Create organization"
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
            description="Letters, digits, “-”, “_” and “.”. Default: derived from the display name."
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <UrlPreview before={pathTo('org', { org: '' })} name={name} displayName={displayName} />
        </Form>
      </Paper>
    </Page>
  );
}
