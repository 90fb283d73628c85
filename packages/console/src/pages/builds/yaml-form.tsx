import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { BranchSettings } from '../../api/builds.ts';
import { Form } from '../../parts/form.tsx';
import { fromYaml, toYaml } from './settings-yaml.ts';

interface YamlFormProps {
  settings: BranchSettings;
  saving: { isPending: boolean; error: unknown };
  onSave: (settings: BranchSettings) => void;
}

/** All of it, as programs send it. */
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
          setProblem(`This cannot be read: ${(error as Error).message}`);
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
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      <Text size="xs" c="dimmed">
        YAML or JSON. A row of stars stands for a secret, and leaves it as it is. In mooring.yml at the root of the
        sources, toolsets and variables win over these.
      </Text>
    </Form>
  );
}
