import { Code } from '@mantine/core';

/** The filter of a webhook or feed. */
export const FilterText = ({ filter }: { filter: string | undefined }) =>
  filter ? <Code style={{ wordBreak: 'break-word' }}>{filter}</Code> : 'All';
