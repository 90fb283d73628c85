import { ActionIcon, Autocomplete, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { Analytics_CreateOrUpdateAudience, devicePropertyTypes } from '@mooring/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Audience,
  useCustomProperties,
  useDeviceValues,
  useSaveAudience,
  useTestAudience,
} from '../../../api/telemetry/explore.ts';
import { formatNumber } from '../../../components/charts/numbers.ts';
import { Failure } from '../../../components/feedback/failure.tsx';
import { getBodyRules, getParameterRules } from '../../../components/forms/field-rules.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { LongTextField } from '../../../components/forms/long-text-field.tsx';
import { formatCount } from '../../../components/text/format-count.ts';
import { useCurrentApp } from '../../../context/permissions.ts';
import { type Condition, customIn, getOperators, getPropertyType, toDefinition } from './audience-conditions.ts';

const rule = getBodyRules(Analytics_CreateOrUpdateAudience);
const nameRule = getParameterRules(Analytics_CreateOrUpdateAudience)('audience_name');

/** Creates or edits an audience, by conditions or by its definition. */
export function AudienceDialog({ audience, onClose }: { audience?: Audience; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const saving = useSaveAudience(appRef);
  const testing = useTestAudience(appRef);
  const custom = useCustomProperties(appRef).data ?? {};
  const [definition, setDefinition] = useState(audience?.definition ?? '');
  const change = (text: string) => {
    setDefinition(text);
    testing.reset();
  };
  const input = { definition, custom_properties: customIn(definition, custom) };
  return (
    <Form
      action={audience ? 'Save' : 'Create audience'}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) =>
        saving.mutate(
          {
            ...input,
            name: audience?.name ?? fields.text('name') ?? '',
            description: fields.text('description') ?? '',
            enabled: audience?.state !== 'Disabled',
          },
          { onSuccess: onClose },
        )
      }
    >
      {!audience && <TextField name="name" label="Name" rule={nameRule} data-autofocus />}
      <TextField
        name="description"
        label="Description"
        rule={rule('description')}
        defaultValue={audience?.description}
      />
      <Builder custom={custom} onChange={change} />
      <LongTextField
        name="definition"
        label="Definition"
        rule={rule('definition')}
        description="Generated from the conditions above, or written by hand, such as AppVersion ge '1.10' and not (Model eq 'Pixel 7')"
        value={definition}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          disabled={definition.trim() === ''}
          loading={testing.isPending}
          onClick={() => testing.mutate(input)}
        >
          Count devices
        </Button>
        <Text size="sm" role="status">
          {testing.data &&
            `${formatNumber(testing.data.estimated_count)} of ${formatCount(testing.data.estimated_total_count, 'device')}`}
        </Text>
      </Group>
      {testing.error && <Failure error={testing.error} />}
    </Form>
  );
}

type Custom = Readonly<Record<string, 'string' | 'number' | 'boolean' | 'date_time'>>;
const first: Condition = { property: 'AppVersion', operator: 'ge', value: '' };

/** Conditions that generate the definition. */
function Builder({ custom, onChange }: { custom: Custom; onChange: (definition: string) => void }) {
  const [lines, setLines] = useState<Condition[]>([first]);
  const [joined, setJoined] = useState<'and' | 'or'>('and');
  const put = (next: Condition[], how = joined) => {
    setLines(next);
    setJoined(how);
    onChange(toDefinition(next, how, custom));
  };
  return (
    <Stack gap="xs" component="section" aria-label="Conditions">
      {lines.map((line, at) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity.
          key={at}
          place={at + 1}
          line={line}
          custom={custom}
          onChange={(changed) => put(lines.map((each, other) => (other === at ? changed : each)))}
          onRemove={() => put(lines.filter((_, other) => other !== at))}
        />
      ))}
      <Group gap="sm">
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => put([...lines, { property: 'Model', operator: 'eq', value: '' }])}
        >
          Add condition
        </Button>
        {lines.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Match all or any conditions"
            value={joined}
            onChange={(value) => put(lines, value === 'or' ? 'or' : 'and')}
            data={[
              { value: 'and', label: 'All' },
              { value: 'or', label: 'Any' },
            ]}
          />
        )}
      </Group>
    </Stack>
  );
}

interface LineProps {
  place: number;
  line: Condition;
  custom: Custom;
  onChange: (line: Condition) => void;
  onRemove: () => void;
}

function Line({ place, line, custom, onChange, onRemove }: LineProps) {
  const { appRef } = useCurrentApp();
  const { property, operator, value } = line;
  const type = getPropertyType(property, custom);
  const isDeviceProperty = property in devicePropertyTypes;
  const values = useDeviceValues(appRef, property, isDeviceProperty).data ?? [];
  const offered = isDeviceProperty ? values : type === 'boolean' ? ['true', 'false'] : [];
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={`Property of condition ${place}`}
        value={property}
        onChange={({ currentTarget }) => onChange({ property: currentTarget.value, operator: 'eq', value: '' })}
        data={[...Object.keys(devicePropertyTypes), ...Object.keys(custom)]}
      />
      <NativeSelect
        size="xs"
        aria-label={`Comparison of condition ${place}`}
        value={operator}
        onChange={({ currentTarget }) => onChange({ ...line, operator: currentTarget.value })}
        data={Object.entries(getOperators(property, type)).map(([value, label]) => ({ value, label }))}
      />
      <Autocomplete
        size="xs"
        flex={1}
        aria-label={`Value of condition ${place}`}
        data={offered}
        limit={50}
        value={value}
        onChange={(value) => onChange({ ...line, value })}
      />
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Remove condition ${place}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
