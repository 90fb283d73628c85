import { Alert, MultiSelect, Stack, TextInput } from '@mantine/core';
import { describeToken, type TokenPermission, tokenAreas, tokenPermissions } from '@mooring/contract';

export interface ChosenLimits {
  permissions: TokenPermission[];
  /** As typed, separated by commas. */
  apps: string;
  deployments: string;
  networks: string;
}

export const noLimits: ChosenLimits = { permissions: [], apps: '', deployments: '', networks: '' };

export const splitNames = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

const data = Object.keys(tokenAreas).map((area) => ({
  group: area,
  items: tokenPermissions.filter((permission) => permission.startsWith(`${area}:`)),
}));

interface PermissionFieldsProps {
  limits: ChosenLimits;
  onChange: (limits: ChosenLimits) => void;
  /** False for an app token, which works for one app anyway. */
  hasApps: boolean;
}

/** Permissions and limits of a new token, with a sentence that says what it can do. */
export function PermissionFields({ limits, onChange, hasApps }: PermissionFieldsProps) {
  const text = (name: 'apps' | 'deployments' | 'networks', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={limits[name]}
      onChange={({ currentTarget }) => onChange({ ...limits, [name]: currentTarget.value })}
      autoComplete="off"
    />
  );
  const sentence = describeToken({
    permissions: limits.permissions,
    apps: splitNames(limits.apps),
    deployments: splitNames(limits.deployments),
    networks: splitNames(limits.networks),
  });
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Permissions"
        description="All include reading in their area."
        data={data}
        value={limits.permissions}
        onChange={(permissions) => onChange({ ...limits, permissions: permissions as TokenPermission[] })}
        searchable
      />
      {hasApps && text('apps', 'Only these apps (optional)', 'lighthouse/compass')}
      {text('deployments', 'Only these CodePush deployments (optional)', 'Staging')}
      {text('networks', 'Only from these networks (optional)', '203.0.113.7, 10.0.0.0/8')}
      <Alert color="blue" role="status">
        {sentence}
      </Alert>
    </Stack>
  );
}
