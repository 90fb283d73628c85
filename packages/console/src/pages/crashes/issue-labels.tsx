import { Badge, Group } from '@mantine/core';
import type { Issue } from '../../api/telemetry/crashes.ts';

export const inPercent = (value: number): string => `${value.toLocaleString(undefined, { maximumFractionDigits: 2 })}%`;

/** Location in the code. */
export const formatLocation = ({ class_name, method }: Pick<Issue, 'class_name' | 'method'>): string =>
  [class_name, method].filter(Boolean).join('.');

const colors = { open: 'red', closed: 'green', ignored: 'gray' } as const;
const statusLabels = { open: 'Open', closed: 'Closed', ignored: 'Ignored' } as const;

/** Status of an issue, with regressions. */
export const StateBadge = ({ issue }: { issue: Pick<Issue, 'state' | 'regressed_version'> }) => (
  <Group gap={4}>
    <Badge color={colors[issue.state]}>{statusLabels[issue.state]}</Badge>
    {issue.regressed_version !== undefined && <Badge color="orange">Regressed</Badge>}
  </Group>
);
