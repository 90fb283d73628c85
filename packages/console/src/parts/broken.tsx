import { Button } from '@mantine/core';
import { FrontPage } from './front-page.tsx';

/** Shown when the code of a page cannot be fetched, or fails. */
export function Broken() {
  return (
    <FrontPage
      title="This page broke"
      lead="The server may be down, or the console was updated since you opened it. Loading it again usually helps."
    >
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </FrontPage>
  );
}
