import { ActionIcon, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { SECRET_MASK } from '@mooring/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../../../components/layout/page.tsx';
import type { Variable } from './branch-form.ts';

interface Listed extends Variable {
  key: number;
}

export const listVariables = (variables: readonly Variable[] = []): Listed[] =>
  variables.map(({ name, value, isSecret = false }, key) => ({ key, name, value, isSecret }));

/** Skips variables without a name. */
export const readVariables = (listed: readonly Listed[]): Variable[] =>
  listed.filter(({ name }) => name.trim() !== '').map(({ key: _, ...variable }) => variable);

interface VariablesSectionProps {
  variables: Listed[];
  onChange: (variables: Listed[]) => void;
}

export function VariablesSection({ variables, onChange }: VariablesSectionProps) {
  const change = (key: number, changed: Partial<Variable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const add = () =>
    onChange([
      ...variables,
      { key: Math.max(-1, ...variables.map(({ key }) => key)) + 1, name: '', value: '', isSecret: false },
    ]);
  return (
    <Section
      title="Environment variables"
      description="Available to scripts and tools. Secret values are never shown again and are masked in logs."
      actions={
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add variable
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
    </Section>
  );
}
