import { Paper, Select, SimpleGrid } from '@mantine/core';
import { type AppOs, type AppPlatform, apps_create, platformsByOs } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateApp } from '../../api/apps.ts';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { UrlPreview } from '../../components/forms/url-preview.tsx';
import { Page } from '../../components/layout/page.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { appPath, pathTo } from '../../paths.ts';
import { useUrlState } from '../../routing/url-state.ts';

const rules = getBodyRules(apps_create);
const systems = Object.keys(platformsByOs) as AppOs[];

export default function CreateAppPage() {
  const me = useCurrentUser();
  const orgs = useOrgs();
  const creation = useCreateApp();
  const navigate = useNavigate();
  const [org, setOrg] = useUrlState('org');
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [os, setOs] = useState<AppOs>('Android');
  const [platform, setPlatform] = useState<AppPlatform>(platformsByOs.Android[0]);
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
    const fitting: readonly AppPlatform[] = platformsByOs[chosen];
    if (!fitting.includes(platform)) setPlatform(fitting[0] ?? 'Custom');
  };
  return (
    <Page title="New app" description="You'll be this app's manager.">
      <Paper withBorder p="lg" maw={720}>
        <Form action="Create app" sending={creation} conflict="name" onSend={create} onCancel={() => navigate(-1)}>
          <Select
            label="Owner"
            description="You, or an organization where you can create apps."
            data={[
              { value: '', label: `${me.display_name} (you)` },
              ...(orgs.data ?? []).map(({ name, display_name }) => ({ value: name, label: display_name })),
            ]}
            value={org}
            onChange={(chosen) => setOrg(chosen ?? '')}
            allowDeselect={false}
            searchable
          />
          <TextField
            name="display_name"
            label="Display name"
            rule={rules('display_name')}
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
          <UrlPreview
            before={pathTo('app', { owners: org ? 'orgs' : 'users', owner: org || me.name, app: '' })}
            name={name}
            displayName={displayName}
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
              data={[...platformsByOs[os]]}
              value={platform}
              onChange={(chosen) => chosen && setPlatform(chosen as AppPlatform)}
              allowDeselect={false}
            />
          </SimpleGrid>
          <TextField name="release_type" label="Release type" rule={rules('release_type')} placeholder="Beta" />
          <LongTextField name="description" label="Description" rule={rules('description')} />
        </Form>
      </Paper>
    </Page>
  );
}
