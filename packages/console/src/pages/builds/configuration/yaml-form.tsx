import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BranchSettings } from '../../../api/builds/builds.ts';
import { Form } from '../../../components/forms/form.tsx';
import { fromYaml, toYaml } from './settings-yaml.ts';

interface YamlFormProps {
  settings: BranchSettings;
  saving: { isPending: boolean; error: unknown };
  onSave: (settings: BranchSettings) => void;
}

/** All settings, as in the API. */
export default function YamlForm({ settings, saving, onSave }: YamlFormProps) {
  const [problem, setProblem] = useState<string>();
  return (
    <Form
      action="Save"
      sending={saving}
      onSend={(fields) => {
        try {
          const typed = fromYaml(fields.text('yaml') ?? '');
          setProblem(undefined);
          onSave(typed);
        } catch (error) {
          setProblem(`Couldn't read the configuration: ${(error as Error).message}`);
        }
      }}
    >
      <Textarea
        name="yaml"
        label="Configuration"
        defaultValue={toYaml(settings)}
        autosize
        minRows={12}
        maxRows={40}
        spellCheck={false}
        error={problem}
        styles={{
          input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' },
        }}
      />
      <Text size="xs" c="dimmed">
        YAML or JSON. A row of asterisks keeps the saved secret. Toolsets and variables in mooring.yml at the repository
        root override these.
      </Text>
    </Form>
  );
}
