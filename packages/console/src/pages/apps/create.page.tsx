import { Paper, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type AppOs, type AppPlatform, platformsOf } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateApp } from '../../api/apps.ts';
import { useOrgs } from '../../api/orgs.ts';
import { type Fields, Form } from '../../parts/form.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { appPath } from '../../paths.ts';

const systems = Object.keys(platformsOf) as AppOs[];

export default function CreateAppPage() {
  const me = useMe();
  const orgs = useOrgs();
  const creation = useCreateApp();
  const navigate = useNavigate();
  const [org, setOrg] = useUrlState('org');
  const [os, setOs] = useState<AppOs>('Android');
  const [platform, setPlatform] = useState<AppPlatform>(platformsOf.Android[0]);
  const create = (fields: Fields) =>
    creation.mutate(
      {
        org: org || undefined,
        body: {
          display_name: fields.text('display_name') ?? '',
          name: fields.text('name'),
          description: fields.text('description'),
          release_type: fields.text('release_type'),
          os,
          platform,
        },
      },
      { onSuccess: (app) => navigate(appPath(app)) },
    );
  const chooseOs = (chosen: AppOs) => {
    setOs(chosen);
    const fitting: readonly AppPlatform[] = platformsOf[chosen];
    if (!fitting.includes(platform)) setPlatform(fitting[0] ?? 'Custom');
  };
  return (
    <Page title="New app" lead="Whoever creates an app is its manager.">
      <Paper withBorder p="lg" maw={720}>
        <Form action="Create the app" sending={creation} onSend={create} onCancel={() => navigate(-1)}>
          <Select
            label="Owner"
            description="You, or an organization in which you may create apps."
            data={[
              { value: '', label: `${me.display_name} (you)` },
              ...(orgs.data ?? []).map(({ name, display_name }) => ({ value: name, label: display_name })),
            ]}
            value={org}
            onChange={(chosen) => setOrg(chosen ?? '')}
            allowDeselect={false}
            searchable
          />
          <TextInput name="display_name" label="Display name" required maxLength={128} autoComplete="off" autoFocus />
          <TextInput
            name="name"
            label="Name (optional)"
            description="Part of its address. Letters, digits, “-”, “_” and “.”; made from the display name if left empty."
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label="Operating system"
              data={systems}
              value={os}
              onChange={(chosen) => chosen && chooseOs(chosen as AppOs)}
              allowDeselect={false}
            />
            <Select
              label="Platform"
              data={[...platformsOf[os]]}
              value={platform}
              onChange={(chosen) => chosen && setPlatform(chosen as AppPlatform)}
              allowDeselect={false}
            />
          </SimpleGrid>
          <TextInput name="release_type" label="Release type (optional)" placeholder="Beta" maxLength={50} />
          <Textarea name="description" label="Description (optional)" autosize minRows={2} maxLength={1000} />
        </Form>
      </Paper>
    </Page>
  );
}
