import { Paper, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useCreateOrg } from '../../api/orgs.ts';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';

export default function CreateOrgPage() {
  const creation = useCreateOrg();
  const navigate = useNavigate();
  return (
    <Page title="New organization" lead="You become its admin, and can invite others.">
      <Paper withBorder p="lg" maw={720}>
        <Form
          action="Create"
          sending={creation}
          onCancel={() => navigate(-1)}
          onSend={(fields) =>
            creation.mutate(
              { display_name: fields.text('display_name'), name: fields.text('name') },
              { onSuccess: ({ name }) => navigate(pathTo('org', { org: name })) },
            )
          }
        >
          <TextInput name="display_name" label="Display name" required maxLength={128} autoComplete="off" autoFocus />
          <TextInput
            name="name"
            label="Name (optional)"
            description="Part of its address, and of that of its apps. Letters, digits, “-”, “_” and “.”; made from the display name if left empty."
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form>
      </Paper>
    </Page>
  );
}
