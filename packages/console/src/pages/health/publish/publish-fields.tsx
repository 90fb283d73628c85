import { ActionIcon, Button, Fieldset, Group, MultiSelect, Radio, Stack, TagsInput } from '@mantine/core';
import { HealthEvent_Update } from '@mooring/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Subscription } from '../../../api/health/subscriptions.ts';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import type { AffectedRegion, Audience } from './draft.ts';

const rules = getBodyRules(HealthEvent_Update);

interface RegionFieldsProps {
  regions: AffectedRegion[];
  onChange: (regions: AffectedRegion[]) => void;
}

/** Services and regions of an event, one row each. */
export function RegionFields({ regions, onChange }: RegionFieldsProps) {
  const change = (at: number, changes: Partial<AffectedRegion>) =>
    onChange(regions.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  const last = regions.at(-1);
  return (
    <Fieldset legend="Services and regions">
      <Stack gap="xs" align="flex-start">
        {regions.map(({ service, region }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
          <Group key={index} gap="xs" wrap="nowrap" w="100%" align="flex-start">
            <TextField
              name={`service ${index}`}
              label={`Service ${index + 1}`}
              rule={rules('service')}
              value={service}
              onChange={({ currentTarget }) => change(index, { service: currentTarget.value })}
              autoComplete="off"
              flex={1}
            />
            <TextField
              name={`region ${index}`}
              label={`Region ${index + 1}`}
              rule={rules('region')}
              value={region}
              onChange={({ currentTarget }) => change(index, { region: currentTarget.value })}
              autoComplete="off"
              flex={1}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={`Remove row ${index + 1}`}
              disabled={regions.length === 1}
              onClick={() => onChange(regions.filter((_, other) => other !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...regions, { service: last?.service ?? '', region: '' }])}
        >
          Add row
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface AudienceFieldsProps {
  subscriptions: Subscription[];
  /** Undefined means everyone. */
  audience: Audience | undefined;
  /** The form was submitted without a selection. */
  isRefused: boolean;
  onChange: (audience: Audience | undefined) => void;
}

/** Audience of the event. */
export function AudienceFields({ subscriptions, audience, isRefused, onChange }: AudienceFieldsProps) {
  const subscriptionNames = new Map(
    subscriptions.map(({ subscriptionId, displayName }) => [subscriptionId, displayName]),
  );
  const selected = (audience?.subscriptions ?? []).filter((id) => subscriptionNames.has(id));
  const others = (audience?.subscriptions ?? []).filter((id) => !subscriptionNames.has(id));
  const tenants = audience?.tenants ?? [];
  const isEmpty = selected.length + others.length + tenants.length === 0;
  return (
    <Fieldset legend="Audience">
      <Radio.Group
        aria-label="Audience"
        value={audience ? 'named' : 'everyone'}
        onChange={(chosen) => onChange(chosen === 'named' ? { subscriptions: [], tenants: [] } : undefined)}
      >
        <Group gap="lg">
          <Radio value="everyone" label="Everyone" />
          <Radio value="named" label="Selected subscriptions and tenants" />
        </Group>
      </Radio.Group>
      {audience && (
        <Stack gap="sm" mt="sm">
          <MultiSelect
            label="Subscriptions"
            data={subscriptions.map(({ subscriptionId, displayName, owner }) => ({
              value: subscriptionId,
              label: `${displayName} (${owner})`,
            }))}
            value={selected}
            onChange={(chosen) => onChange({ tenants, subscriptions: [...chosen, ...others] })}
            error={isRefused && isEmpty && 'Select a subscription or a tenant, or choose Everyone.'}
            searchable
            limit={100}
            nothingFoundMessage="No matches"
          />
          <TagsInput
            label="Other subscriptions (optional)"
            description="Enter subscription IDs. Press Enter after each ID."
            value={others}
            onChange={(ids) => onChange({ tenants, subscriptions: [...selected, ...ids] })}
            splitChars={[',', ' ', '\n']}
            acceptValueOnBlur
          />
          <TagsInput
            label="Tenants (optional)"
            description="Enter tenant IDs. Press Enter after each ID. All subscriptions of a tenant can read the event."
            data={[...new Set(subscriptions.map(({ tenantId }) => tenantId))]}
            value={tenants}
            onChange={(ids) => onChange({ subscriptions: [...selected, ...others], tenants: ids })}
            splitChars={[',', ' ', '\n']}
            acceptValueOnBlur
          />
        </Stack>
      )}
    </Fieldset>
  );
}
