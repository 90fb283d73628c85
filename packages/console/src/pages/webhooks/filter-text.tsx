import { Code } from '@mantine/core';

/** What a webhook or a feed is told of. */
export const FilterText = ({ filter }: { filter: string | undefined }) =>
  filter ? <Code style={{ wordBreak: 'break-word' }}>{filter}</Code> : 'All';
