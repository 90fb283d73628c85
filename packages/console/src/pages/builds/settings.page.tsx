import { Button, List, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { branchConfigurations_create, buildSettings_update } from '@mooring/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type BuildSettings, useBuildSettings, useSaveBuildSettings } from '../../api/builds.ts';
import { Form } from '../../parts/form.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';
import { listVariables, readVariables, VariablesPart } from './variables-part.tsx';

export default function BuildSettingsPage() {
  const { appRef, may } = useAppHere();
  const reading = useBuildSettings(appRef);
  return (
    <Page title="Settings" lead="What is true of all builds of this app.">
      <Loaded reading={reading}>
        {(settings) => (
          <Stack gap="xl" maw={720}>
            <Patterns patterns={settings.branchPatterns} />
            {may(buildSettings_update) ? <SettingsForm settings={settings} /> : <Shown settings={settings} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const Shown = ({ settings }: { settings: BuildSettings }) => (
  <Text size="sm">
    {settings.maxConcurrentBuilds
      ? `Builds that run at a time: ${settings.maxConcurrentBuilds}.`
      : 'As many builds run at a time as the server allows.'}
  </Text>
);

function SettingsForm({ settings }: { settings: BuildSettings }) {
  const { appRef } = useAppHere();
  const saving = useSaveBuildSettings(appRef);
  const [most, setMost] = useState<number | string>(settings.maxConcurrentBuilds ?? '');
  const [variables, setVariables] = useState(() => listVariables(settings.environmentVariables));
  return (
    <Form
      action="Save"
      sending={saving}
      done={saving.isSuccess && 'Saved; builds that are queued from now on obey it.'}
      onSend={() =>
        saving.mutate({
          ...(typeof most === 'number' ? { maxConcurrentBuilds: most } : {}),
          environmentVariables: readVariables(variables),
        })
      }
    >
      <NumberInput
        label="Builds at a time (optional)"
        description="Others wait, the most urgent first. Without a number, as many as the server allows."
        value={most}
        onChange={setMost}
        min={1}
        max={1000}
        allowDecimal={false}
        maw={240}
      />
      <VariablesPart variables={variables} onChange={setVariables} />
    </Form>
  );
}

/** Each is configured like a branch. */
function Patterns({ patterns }: { patterns: string[] }) {
  const { params, may } = useAppHere();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const configure = (branch: string) => pathTo('appConfiguration', { ...params, branch });
  const name = typed.trim();
  return (
    <Part
      title="Patterns of branches"
      lead="A branch that has no configuration of its own is built as the closest pattern that matches it says: new ones, too. A star stands for any text."
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
      {may(branchConfigurations_create) && (
        <TextInput
          label="New pattern"
          placeholder="release/*"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={name !== '' && !name.includes('*') && 'A pattern has a star; a branch is configured on its own page.'}
          spellCheck={false}
          autoComplete="off"
          maw={360}
          rightSectionWidth={100}
          rightSection={
            <Button size="xs" disabled={!name.includes('*')} onClick={() => void navigate(configure(name))}>
              Configure
            </Button>
          }
        />
      )}
    </Part>
  );
}
