import { ActionIcon, Button, Fieldset, Group, MultiSelect, Radio, Stack, TagsInput } from '@mantine/core';
import { HealthEvent_Update } from '@mooring/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Subscription } from '../../api/subscriptions.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import type { AffectedRegion, Audience } from './draft.ts';

const rules = fieldsOf(HealthEvent_Update);

interface RegionFieldsProps {
  regions: AffectedRegion[];
  onChange: (regions: AffectedRegion[]) => void;
}

/** The services and regions that an event is about, one below the other. */
export function RegionFields({ regions, onChange }: RegionFieldsProps) {
  const change = (at: number, part: Partial<AffectedRegion>) =>
    onChange(regions.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const last = regions.at(-1);
  return (
    <Fieldset legend="Services and regions">
      <Stack gap="xs" align="flex-start">
        {regions.map(({ service, region }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values are kept outside of the fields
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
          Add a row
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface AudienceFieldsProps {
  subscriptions: Subscription[];
  /** Undefined: everyone. */
  audience: Audience | undefined;
  /** It was sent while it named nobody. */
  isRefused: boolean;
  onChange: (audience: Audience | undefined) => void;
}

/** Who may read an event. */
export function AudienceFields({ subscriptions, audience, isRefused, onChange }: AudienceFieldsProps) {
  const nameOf = new Map(subscriptions.map(({ subscriptionId, displayName }) => [subscriptionId, displayName]));
  const known = (audience?.subscriptions ?? []).filter((id) => nameOf.has(id));
  const others = (audience?.subscriptions ?? []).filter((id) => !nameOf.has(id));
  const tenants = audience?.tenants ?? [];
  const isEmpty = known.length + others.length + tenants.length === 0;
  return (
    <Fieldset legend="Who reads it">
      <Radio.Group
        aria-label="Who reads it"
        value={audience ? 'named' : 'everyone'}
        onChange={(chosen) => onChange(chosen === 'named' ? { subscriptions: [], tenants: [] } : undefined)}
      >
        <Group gap="lg">
          <Radio value="everyone" label="Everyone" />
          <Radio value="named" label="Only those named" />
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
            value={known}
            onChange={(chosen) => onChange({ tenants, subscriptions: [...chosen, ...others] })}
            error={isRefused && isEmpty && 'Name a subscription or a tenant, or choose everyone.'}
            searchable
            limit={100}
            nothingFoundMessage="No such subscription"
          />
          <TagsInput
            label="Other subscriptions (optional)"
            description="By id; press Enter after each."
            value={others}
            onChange={(ids) => onChange({ tenants, subscriptions: [...known, ...ids] })}
            splitChars={[',', ' ', '\n']}
            acceptValueOnBlur
          />
          <TagsInput
            label="Tenants (optional)"
            description="By id; press Enter after each. Every subscription of a tenant reads it."
            data={[...new Set(subscriptions.map(({ tenantId }) => tenantId))]}
            value={tenants}
            onChange={(ids) => onChange({ subscriptions: [...known, ...others], tenants: ids })}
            splitChars={[',', ' ', '\n']}
            acceptValueOnBlur
          />
        </Stack>
      )}
    </Fieldset>
  );
}
