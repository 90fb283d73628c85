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
} from '../../api/explore.ts';
import { inFull } from '../../parts/charts/numbers.ts';
import { Failure } from '../../parts/failure.tsx';
import { fieldsOf, parametersOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useAppHere } from '../../parts/may.ts';
import { type Condition, customIn, operatorsOf, toDefinition, typeOf } from './audience-conditions.ts';

const rule = fieldsOf(Analytics_CreateOrUpdateAudience);
const nameRule = parametersOf(Analytics_CreateOrUpdateAudience)('audience_name');

/** Makes an audience, or changes one: lines of conditions, or the definition itself. */
export function AudienceDialog({ audience, onClose }: { audience?: Audience; onClose: () => void }) {
  const { appRef } = useAppHere();
  const saving = useSaveAudience(appRef);
  const testing = useTestAudience(appRef);
  const custom = useCustomProperties(appRef).data ?? {};
  const [definition, setDefinition] = useState(audience?.definition ?? '');
  const change = (text: string) => {
    setDefinition(text);
    testing.reset();
  };
  const asked = { definition, custom_properties: customIn(definition, custom) };
  return (
    <Form
      action={audience ? 'Save' : 'Create'}
      sending={saving}
      onCancel={onClose}
      onSend={(fields) =>
        saving.mutate(
          {
            ...asked,
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
        description="What the lines above say, or what you write: AppVersion ge '1.10' and not (Model eq 'Pixel 7')"
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
          onClick={() => testing.mutate(asked)}
        >
          Count devices
        </Button>
        <Text size="sm" role="status">
          {testing.data &&
            `${inFull(testing.data.estimated_count)} of ${inFull(testing.data.estimated_total_count)} devices`}
        </Text>
      </Group>
      {testing.error && <Failure error={testing.error} />}
    </Form>
  );
}

type Custom = Readonly<Record<string, 'string' | 'number' | 'boolean' | 'date_time'>>;
const first: Condition = { property: 'AppVersion', operator: 'ge', value: '' };

/** Lines that write the definition. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place.
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
          Add a condition
        </Button>
        {lines.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="How many have to be true"
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
  const { appRef } = useAppHere();
  const { property, operator, value } = line;
  const type = typeOf(property, custom);
  const isOfDevice = property in devicePropertyTypes;
  const values = useDeviceValues(appRef, property, isOfDevice).data ?? [];
  const offered = isOfDevice ? values : type === 'boolean' ? ['true', 'false'] : [];
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
        data={Object.entries(operatorsOf(property, type)).map(([value, label]) => ({ value, label }))}
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
