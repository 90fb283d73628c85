import { Autocomplete, FileInput, MultiSelect, PasswordInput, Select, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BranchSettings, Projects } from '../../../api/builds/builds.ts';
import { appGroups, useGroups } from '../../../api/organizations/groups.ts';
import { useStores } from '../../../api/releases/stores.ts';
import { Form } from '../../../components/forms/form.tsx';
import { Section } from '../../../components/layout/page.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import {
  findStore,
  findToolset,
  getGroups,
  hasSecret,
  isOn,
  likelyToolset,
  readTrigger,
  settingsWith,
  shownValue,
  suggestionsFor,
  type ToolsetField,
  type ToolsetName,
  toolsetFields,
  toolsetLabels,
  toolsetNames,
} from './branch-form.ts';
import { listVariables, readVariables, VariablesSection } from './variables-section.tsx';

interface ConfigurationFormProps {
  settings: BranchSettings;
  projects: Projects | undefined;
  saving: { isPending: boolean; error: unknown };
  onSave: (settings: BranchSettings) => void;
}

export function ConfigurationForm({ settings, projects, saving, onSave }: ConfigurationFormProps) {
  const { appRef } = useCurrentApp();
  const groups = useGroups(appGroups(appRef));
  const stores = useStores(appRef);
  const [toolset, setToolset] = useState<ToolsetName>(findToolset(settings) ?? likelyToolset(projects));
  const [trigger, setTrigger] = useState(readTrigger(settings));
  const [files, setFiles] = useState<Record<string, string | undefined>>({});
  const [chosen, setChosen] = useState(getGroups(settings).groups);
  const [store, setStore] = useState(findStore(settings));
  const [variables, setVariables] = useState(() => listVariables(settings.environmentVariables));
  const fields = toolsetFields[toolset];
  return (
    <Form
      action="Save"
      sending={saving}
      onSend={(typed) =>
        onSave(
          settingsWith(settings, {
            trigger,
            toolset,
            isSigned: typed.isOn('signed'),
            hasBadge: typed.isOn('badge'),
            fields: Object.fromEntries(
              fields.map(({ name, kind }) => [
                name,
                kind === 'flag' ? typed.isOn(name) : kind === 'file' ? files[name] : typed.secret(name),
              ]),
            ),
            variables: readVariables(variables),
            groups: chosen,
            store,
            isSilent: typed.isOn('silent'),
          }),
        )
      }
    >
      <Select
        label="Trigger"
        data={[
          { value: 'manual', label: 'Manual' },
          { value: 'continuous', label: 'On every push' },
        ]}
        value={trigger}
        onChange={(value) => setTrigger(value === 'continuous' ? 'continuous' : 'manual')}
        allowDeselect={false}
      />
      <Select
        label="Toolset"
        data={toolsetNames.map((value) => ({ value, label: toolsetLabels[value] }))}
        value={toolset}
        onChange={(value) => value && setToolset(value)}
        allowDeselect={false}
      />
      {fields.map((field) => (
        <ToolsetFieldInput
          key={`${toolset} ${field.name}`}
          field={field}
          settings={settings}
          toolset={toolset}
          suggestions={suggestionsFor(toolset, field.name, projects)}
          onFile={(content) => setFiles((before) => ({ ...before, [field.name]: content }))}
        />
      ))}
      <Switch
        name="signed"
        label="Sign the package"
        description="Uses the signing settings of the toolset."
        defaultChecked={settings.signed === true}
      />
      <VariablesSection variables={variables} onChange={setVariables} />
      <Section title="After a successful build">
        <MultiSelect
          label="Distribute to groups (optional)"
          placeholder={chosen.length === 0 ? 'Choose groups' : ''}
          data={(groups.data ?? []).map(({ id, name, display_name }) => ({ value: id, label: display_name ?? name }))}
          value={chosen}
          onChange={(groups) => {
            setChosen(groups);
            if (groups.length > 0) setStore(undefined);
          }}
          searchable
          nothingFoundMessage="No matches"
        />
        <Select
          label="Publish to store (optional)"
          placeholder="Choose a store"
          data={(stores.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={store ?? null}
          onChange={(value) => {
            setStore(value ?? undefined);
            if (value) setChosen([]);
          }}
          clearable
        />
        <Switch
          name="silent"
          label="Silent"
          description="Don't email testers."
          defaultChecked={getGroups(settings).isSilent}
        />
        <Switch
          name="badge"
          label="Badge"
          description="An image with the result of the last build. Anyone with its URL can see it."
          defaultChecked={settings.badgeIsEnabled === true}
        />
      </Section>
    </Form>
  );
}

interface ToolsetFieldInputProps {
  field: ToolsetField;
  settings: BranchSettings;
  toolset: ToolsetName;
  suggestions: string[];
  onFile: (base64: string | undefined) => void;
}

function ToolsetFieldInput({ field, settings, toolset, suggestions, onFile }: ToolsetFieldInputProps) {
  const { name, kind, label, description, placeholder } = field;
  const common = { name, description, placeholder, label: `${label} (optional)` };
  const secretHint = hasSecret(settings, toolset, field) ? 'Leave empty to keep the saved value.' : undefined;
  if (kind === 'flag') return <Switch name={name} label={label} defaultChecked={isOn(settings, toolset, field)} />;
  if (kind === 'secret') {
    return (
      <PasswordInput name={name} label={`${label} (optional)`} description={secretHint} autoComplete="new-password" />
    );
  }
  if (kind === 'file') {
    return (
      <FileInput
        label={`${label} (optional)`}
        description={secretHint ?? description}
        placeholder="Choose file"
        clearable
        onChange={(file) => void readBase64(file).then(onFile)}
      />
    );
  }
  const defaultValue = shownValue(settings, toolset, field);
  if (kind === 'lines') {
    return (
      <Textarea
        {...common}
        label={name === 'commands' ? label : common.label}
        defaultValue={defaultValue}
        autosize
        minRows={name === 'commands' ? 3 : 1}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    );
  }
  return <Autocomplete {...common} data={suggestions} defaultValue={defaultValue} autoComplete="off" />;
}

/** File content as Base64, without the data URL prefix. */
async function readBase64(file: File | null): Promise<string | undefined> {
  if (!file) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
