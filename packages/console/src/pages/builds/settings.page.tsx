import { Button, List, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { branchConfigurations_create, buildSettings_update } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type BuildSettings, useBuildSettings, useSaveBuildSettings } from '../../api/builds/builds.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { listVariables, readVariables, VariablesSection } from './configuration/variables-section.tsx';

export default function BuildSettingsPage() {
  const { appRef, can } = useCurrentApp();
  const query = useBuildSettings(appRef);
  return (
    <Page title="Settings" description="Apply to all builds of this app.">
      <QueryBoundary query={query}>
        {(settings) => (
          <Stack gap="xl" maw={720}>
            <Patterns patterns={settings.branchPatterns} />
            {can(buildSettings_update) ? <SettingsForm settings={settings} /> : <Shown settings={settings} />}
          </Stack>
        )}
      </QueryBoundary>
    </Page>
  );
}

const Shown = ({ settings }: { settings: BuildSettings }) => (
  <Text size="sm">
    {settings.maxConcurrentBuilds
      ? `Concurrent builds: ${settings.maxConcurrentBuilds}`
      : 'Concurrent builds: no limit for this app'}
  </Text>
);

function SettingsForm({ settings }: { settings: BuildSettings }) {
  const { appRef } = useCurrentApp();
  const saving = useSaveBuildSettings(appRef);
  const [maxBuilds, setMaxBuilds] = useState<number | string>(settings.maxConcurrentBuilds ?? '');
  const [variables, setVariables] = useState(() => listVariables(settings.environmentVariables));
  return (
    <Form
      action="Save"
      sending={saving}
      done={saving.isSuccess && 'Saved. Applies to newly queued builds.'}
      onSend={() =>
        saving.mutate({
          ...(typeof maxBuilds === 'number' ? { maxConcurrentBuilds: maxBuilds } : {}),
          environmentVariables: readVariables(variables),
        })
      }
    >
      <NumberInput
        label="Concurrent builds (optional)"
        description="Further builds are queued by priority. Leave empty to use only the server's limit."
        value={maxBuilds}
        onChange={setMaxBuilds}
        min={1}
        max={1000}
        allowDecimal={false}
        maw={240}
      />
      <VariablesSection variables={variables} onChange={setVariables} />
    </Form>
  );
}

/** Each pattern has the configuration page of a branch. */
function Patterns({ patterns }: { patterns: string[] }) {
  const { params, can } = useCurrentApp();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const configure = (branch: string) => pathTo('appConfiguration', { ...params, branch });
  const name = typed.trim();
  return (
    <Section
      title="Branch patterns"
      description="Branches without their own configuration, including new ones, use the most specific matching pattern. * matches any text."
    >
      {patterns.length > 0 && (
        <List size="sm">
          {patterns.map((pattern) => (
            <List.Item key={pattern}>
              <TextLink to={configure(pattern)}>{pattern}</TextLink>
            </List.Item>
          ))}
        </List>
      )}
      {can(branchConfigurations_create) && (
        <TextInput
          label="New pattern"
          placeholder="release/*"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={
            name !== '' && !name.includes('*') && 'A pattern must contain *. To configure one branch, open its page.'
          }
          spellCheck={false}
          autoComplete="off"
          maw={360}
          rightSectionWidth={100}
          rightSection={
            <Button size="xs" disabled={!name.includes('*')} onClick={() => void navigate(configure(name))}>
              Configure pattern
            </Button>
          }
        />
      )}
    </Section>
  );
}
