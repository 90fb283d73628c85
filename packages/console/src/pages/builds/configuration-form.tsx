import { Autocomplete, FileInput, MultiSelect, PasswordInput, Select, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BranchSettings, Projects } from '../../api/builds.ts';
import { appGroups, useGroups } from '../../api/groups.ts';
import { useStores } from '../../api/stores.ts';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import {
  groupsOf,
  hasSecret,
  isOn,
  likelyToolset,
  readTrigger,
  settingsWith,
  shownValue,
  storeOf,
  suggestionsFor,
  type ToolsetField,
  type ToolsetName,
  toolsetFields,
  toolsetNames,
  toolsetOf,
  toolsetWords,
} from './branch-form.ts';
import { listVariables, readVariables, VariablesPart } from './variables-part.tsx';

interface ConfigurationFormProps {
  settings: BranchSettings;
  projects: Projects | undefined;
  saving: { isPending: boolean; error: unknown };
  onSave: (settings: BranchSettings) => void;
}

export function ConfigurationForm({ settings, projects, saving, onSave }: ConfigurationFormProps) {
  const { appRef } = useAppHere();
  const groups = useGroups(appGroups(appRef));
  const stores = useStores(appRef);
  const [toolset, setToolset] = useState<ToolsetName>(toolsetOf(settings) ?? likelyToolset(projects));
  const [trigger, setTrigger] = useState(readTrigger(settings));
  const [files, setFiles] = useState<Record<string, string | undefined>>({});
  const [chosen, setChosen] = useState(groupsOf(settings).groups);
  const [store, setStore] = useState(storeOf(settings));
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
        label="Build"
        data={[
          { value: 'manual', label: 'When somebody asks for it' },
          { value: 'continuous', label: 'On each push' },
        ]}
        value={trigger}
        onChange={(value) => setTrigger(value === 'continuous' ? 'continuous' : 'manual')}
        allowDeselect={false}
      />
      <Select
        label="Toolset"
        data={toolsetNames.map((value) => ({ value, label: toolsetWords[value] }))}
        value={toolset}
        onChange={(value) => value && setToolset(value)}
        allowDeselect={false}
      />
      {fields.map((field) => (
        <FieldOf
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
        description="With what the toolset has for it."
        defaultChecked={settings.signed === true}
      />
      <VariablesPart variables={variables} onChange={setVariables} />
      <Part title="After a green build">
        <MultiSelect
          label="Release it to groups (optional)"
          placeholder={chosen.length === 0 ? 'Choose groups' : ''}
          data={(groups.data ?? []).map(({ id, name, display_name }) => ({ value: id, label: display_name ?? name }))}
          value={chosen}
          onChange={(groups) => {
            setChosen(groups);
            if (groups.length > 0) setStore(undefined);
          }}
          searchable
          nothingFoundMessage="No such group"
        />
        <Select
          label="Or publish it in a store (optional)"
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
          description="Testers get no mail."
          defaultChecked={groupsOf(settings).isSilent}
        />
        <Switch
          name="badge"
          label="Badge"
          description="A picture of how the last build ended, open to everybody who knows its address."
          defaultChecked={settings.badgeIsEnabled === true}
        />
      </Part>
    </Form>
  );
}

interface FieldOfProps {
  field: ToolsetField;
  settings: BranchSettings;
  toolset: ToolsetName;
  suggestions: string[];
  onFile: (base64: string | undefined) => void;
}

function FieldOf({ field, settings, toolset, suggestions, onFile }: FieldOfProps) {
  const { name, kind, label, description, placeholder } = field;
  const common = { name, description, placeholder, label: `${label} (optional)` };
  const kept = hasSecret(settings, toolset, field) ? 'Left empty, the one that is there stays.' : undefined;
  if (kind === 'flag') return <Switch name={name} label={label} defaultChecked={isOn(settings, toolset, field)} />;
  if (kind === 'secret') {
    return <PasswordInput name={name} label={`${label} (optional)`} description={kept} autoComplete="new-password" />;
  }
  if (kind === 'file') {
    return (
      <FileInput
        label={`${label} (optional)`}
        description={kept ?? description}
        placeholder="Choose a file"
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

/** The content of a file, without the browser's words about it. */
async function readBase64(file: File | null): Promise<string | undefined> {
  if (!file) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
