import { Button, Center, Stack } from '@mantine/core';
import { Failure } from './failure.tsx';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
}

export function LoadMore({ pages }: { pages: Pages }) {
  if (!pages.hasNextPage) return null;
  return (
    <Stack>
      {pages.isFetchNextPageError && <Failure error={pages.error} />}
      <Center>
        <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Load more
        </Button>
      </Center>
    </Stack>
  );
}
