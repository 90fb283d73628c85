import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Failure } from '../feedback/failure.tsx';

export interface PagerProps {
  /** Number of preceding rows. */
  first: number;
  count: number;
  /** Undefined if the API doesn't count. */
  total: number | undefined;
  page: number;
  hasNext: boolean;
  isBusy: boolean;
  goTo: (page: number) => void;
}

/** The visible range: "51–100 of 1,204". */
export const RowCount = ({ first, count, total }: PagerProps) => (
  <Text size="sm" c="dimmed" role="status">
    {count > 0 && `${number(first + 1)}–${number(first + count)}`}
    {count > 0 && total !== undefined && ` of ${number(total)}`}
  </Text>
);

const number = (count: number): string => count.toLocaleString();

const isLong = ({ page, hasNext }: PagerProps): boolean => page > 1 || hasNext;

/** Compact pager above the rows. */
export const SmallPager = (props: PagerProps) =>
  isLong(props) && (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="md"
        aria-label="Previous page"
        disabled={props.page === 1}
        onClick={() => props.goTo(props.page - 1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="md"
        aria-label="Next page"
        disabled={!props.hasNext}
        loading={props.isBusy}
        onClick={() => props.goTo(props.page + 1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );

/** Pager below the rows. */
export function Pager({ error, ...props }: PagerProps & { error?: unknown }) {
  if (!isLong(props)) return null;
  const go = (page: number) => {
    props.goTo(page);
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      {error != null && <Failure error={error} title="Couldn't load the next page" />}
      <Group component="nav" aria-label="Pages" justify="center" gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconChevronLeft size={14} aria-hidden />}
          disabled={props.page === 1}
          onClick={() => go(props.page - 1)}
        >
          Previous
        </Button>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronRight size={14} aria-hidden />}
          disabled={!props.hasNext}
          loading={props.isBusy}
          onClick={() => go(props.page + 1)}
        >
          Next
        </Button>
      </Group>
    </>
  );
}
