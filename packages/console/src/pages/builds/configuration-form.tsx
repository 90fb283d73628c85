import {
  ActionIcon,
  Alert,
  Autocomplete,
  Button,
  Checkbox,
  FileInput,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { SECRET_MASK } from '@mooring/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BranchSettings, Projects } from '../../api/builds.ts';
import { appGroups, useGroups } from '../../api/groups.ts';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import {
  groupsOf,
  hasSecret,
  isOn,
  isOnlyKept,
  likelyToolset,
  readTrigger,
  settingsWith,
  shownValue,
  suggestionsFor,
  type ToolsetField,
  type ToolsetName,
  toolsetFields,
  toolsetNames,
  toolsetOf,
  toolsetWords,
  type Variable,
} from './branch-form.ts';

interface ConfigurationFormProps {
  settings: BranchSettings;
  projects: Projects | undefined;
  saving: { isPending: boolean; error: unknown };
  onSave: (settings: BranchSettings) => void;
}

interface Listed extends Variable {
  key: number;
}

export function ConfigurationForm({ settings, projects, saving, onSave }: ConfigurationFormProps) {
  const { appRef } = useAppHere();
  const groups = useGroups(appGroups(appRef));
  const [toolset, setToolset] = useState<ToolsetName>(toolsetOf(settings) ?? likelyToolset(projects));
  const [trigger, setTrigger] = useState(readTrigger(settings));
  const [keystore, setKeystore] = useState<string>();
  const [chosen, setChosen] = useState(groupsOf(settings).groups);
  const [variables, setVariables] = useState<Listed[]>(() =>
    (settings.environmentVariables ?? []).map(({ name, value, isSecret = false }, key) => ({
      key,
      name,
      value,
      isSecret,
    })),
  );
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
                kind === 'flag' ? typed.isOn(name) : kind === 'file' ? keystore : typed.secret(name),
              ]),
            ),
            variables: variables.map(({ key: _, ...variable }) => variable),
            groups: chosen,
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
      {isOnlyKept(toolset) && (
        <Alert color="yellow">
          These settings are kept for clients that send them. A runner builds such a project by commands: choose
          “Commands”, on a runner that has the tools.
        </Alert>
      )}
      {fields.map((field) => (
        <FieldOf
          key={`${toolset} ${field.name}`}
          field={field}
          settings={settings}
          toolset={toolset}
          suggestions={suggestionsFor(toolset, field.name, projects)}
          onFile={setKeystore}
        />
      ))}
      <Switch
        name="signed"
        label="Sign the package"
        description="With what the toolset has for it."
        defaultChecked={settings.signed === true}
      />
      <Variables variables={variables} onChange={setVariables} />
      <Part title="After a green build">
        <MultiSelect
          label="Release it to groups (optional)"
          placeholder={chosen.length === 0 ? 'Choose groups' : ''}
          data={(groups.data ?? []).map(({ id, name, display_name }) => ({ value: id, label: display_name ?? name }))}
          value={chosen}
          onChange={setChosen}
          searchable
          nothingFoundMessage="No such group"
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

function Variables({ variables, onChange }: { variables: Listed[]; onChange: (variables: Listed[]) => void }) {
  const change = (key: number, changed: Partial<Variable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const add = () =>
    onChange([
      ...variables,
      { key: Math.max(-1, ...variables.map(({ key }) => key)) + 1, name: '', value: '', isSecret: false },
    ]);
  return (
    <Part
      title="Environment variables"
      lead="For scripts and tools. A secret one is never shown again, and masked in logs."
      actions={
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add a variable
        </Button>
      }
    >
      {variables.length === 0 && (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      )}
      <Stack gap="xs">
        {variables.map(({ key, name, value, isSecret = false }, at) => (
          <Group key={key} gap="xs" align="center">
            <TextInput
              flex={1}
              miw={140}
              aria-label={`Name of variable ${at + 1}`}
              placeholder="NAME"
              value={name}
              onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
              spellCheck={false}
              autoComplete="off"
            />
            <TextInput
              flex={2}
              miw={140}
              type={isSecret ? 'password' : 'text'}
              aria-label={`Value of variable ${at + 1}`}
              placeholder="value"
              value={value}
              onFocus={({ currentTarget }) => value === SECRET_MASK && currentTarget.select()}
              onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
              autoComplete="off"
            />
            <Checkbox
              label="Secret"
              checked={isSecret}
              onChange={({ currentTarget }) => change(key, { isSecret: currentTarget.checked })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove variable ${name || at + 1}`}
              onClick={() => onChange(variables.filter((one) => one.key !== key))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}
